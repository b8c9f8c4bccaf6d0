type Placed = { readonly depth: number; readonly failed: boolean };

/**
 * The step that a reader looks for first: of a run that went wrong the deepest one that failed, since the steps around it fail by
 * it; of those the last. Of any other run the first.
 */
export function stepToOpen<Step extends Placed>(steps: readonly Step[]): Step | undefined {
  const deepest = steps
    .filter(({ failed }) => failed)
    .reduce<Step | undefined>((found, step) => (found && found.depth > step.depth ? found : step), undefined);
  return deepest ?? steps[0];
}
