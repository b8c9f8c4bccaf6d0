/** A delay that doubles with every stall. @param base seconds; most seconds */
export const doubling =
  ({ base, most }: { readonly base: number; readonly most: number }) =>
  (stalls: number): number =>
    Math.min(most, base * 2 ** stalls);
