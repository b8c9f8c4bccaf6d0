type AnswerProps = {
  readonly question: string;
  readonly answer: string;
  readonly tone?: "good" | "warn" | "bad";
  readonly children: React.ReactNode;
};

/** A question of the board, with its answer in a few words and what it rests on. */
export function Answer({ question, answer, tone, children }: AnswerProps) {
  return (
    <div className="card card-body board-answer">
      <h2 className="tile-title">{question}</h2>
      <p className={tone ? `board-value board-${tone}` : "board-value"}>{answer}</p>
      <div className="small soft">{children}</div>
    </div>
  );
}
