/** The tools by which a model reads what is kept out of its prompt. */
export const resultTools = ["read_result", "search_result", "search_compacted_history"] as const;

const names: ReadonlySet<string> = new Set(resultTools);

/** Whether a tool reads what is kept out of the prompt: its results stay there, and its calls count for no limit. */
export const isResultTool = (name: string): boolean => names.has(name);
