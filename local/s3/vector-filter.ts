type Filter = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Filter =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/**
 * Whether metadata matches a filter of S3 Vectors. Throws for an operator that the service does not have.
 *
 * @source AWS documentation, S3 Vectors, "Metadata filtering"
 */
export function matchesVectorFilter(metadata: Filter, filter: Filter): boolean {
  return Object.entries(filter).every(([key, condition]) => {
    if (key === "$and") return parts(condition).every((part) => matchesVectorFilter(metadata, part));
    if (key === "$or") return parts(condition).some((part) => matchesVectorFilter(metadata, part));
    const operators = isObject(condition) ? condition : { $eq: condition };
    return Object.entries(operators).every(([operator, wanted]) =>
      satisfies(operator, metadata[key], wanted),
    );
  });
}

function parts(value: unknown): Filter[] {
  if (Array.isArray(value) && value.length > 0 && value.every(isObject)) return value;
  throw new Error("$and and $or take a list of filters that is not empty");
}

function satisfies(operator: string, value: unknown, wanted: unknown): boolean {
  const values = Array.isArray(value) ? value : value === undefined ? [] : [value];
  const among = (list: unknown) => values.some((one) => Array.isArray(list) && list.includes(one));
  const numbers = (compare: (a: number, b: number) => boolean) =>
    values.some((one) => typeof one === "number" && typeof wanted === "number" && compare(one, wanted));
  switch (operator) {
    case "$eq":
      return values.includes(wanted);
    case "$ne":
      return !values.includes(wanted);
    case "$in":
      return among(wanted);
    case "$nin":
      return !among(wanted);
    case "$exists":
      return (value !== undefined) === wanted;
    case "$gt":
      return numbers((a, b) => a > b);
    case "$gte":
      return numbers((a, b) => a >= b);
    case "$lt":
      return numbers((a, b) => a < b);
    case "$lte":
      return numbers((a, b) => a <= b);
    default:
      throw new Error(`there is no operator ${operator}`);
  }
}
