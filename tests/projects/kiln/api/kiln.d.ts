interface Kiln {
  readonly degrees: number;
  heatTo(degrees: number, minutes?: number): void;
  coolDown(): void;
  openDoor(): void;
  shelf(number: number): Shelf;
}

interface Shelf {
  readonly pieces: number;
  label: string;
  put(weight: number): void;
}

declare const kiln: Kiln;
