/**
 * Converts a checkpoint from one shape to the next. It has the state of a conversation, or of a workflow with the states
 * of the runs in its steps; a team's state has those of its members.
 */
export type CheckpointUpgrade = (checkpoint: CheckpointOfAnyShape) => CheckpointOfAnyShape;

/** A checkpoint as it was stored, without its shape. */
export type CheckpointOfAnyShape = Readonly<Record<string, unknown>>;
