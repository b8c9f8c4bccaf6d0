/**
 * Makes a checkpoint of one shape into one of the next. It holds the state of a conversation, or a workflow's, which
 * holds the states of the runs in its steps; a team's holds its members'.
 */
export type CheckpointUpgrade = (checkpoint: CheckpointOfAnyShape) => CheckpointOfAnyShape;

/** A checkpoint as it was kept, but for its shape. */
export type CheckpointOfAnyShape = Readonly<Record<string, unknown>>;
