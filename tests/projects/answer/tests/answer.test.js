import { answer } from '../src/answer.js';
expect(answer).toBe(42);
