/** Why a run failed: its `error` beside the part of an answer that had arrived, else its content. */
export const errorOf = ({
  error,
  content,
}: {
  readonly error?: string | undefined;
  readonly content?: unknown;
}) => error ?? content;
