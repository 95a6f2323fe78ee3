export const answer = 41;
