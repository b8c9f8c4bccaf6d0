import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Search as SearchIcon } from "lucide-react";
import { useState } from "react";
import { Form } from "react-aria-components/Form";
import { Link } from "wouter";
import type { Operations } from "../../../client/index.ts";
import { platform } from "../../api/platform.ts";
import { useFilters } from "../../api/use-filters.ts";
import { countText } from "../../parts/amounts.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { Select } from "../../parts/form/select.tsx";
import { Empty, Failed, Skeleton } from "../../parts/state.tsx";
import { type Base, keyOf, useBaseConfig } from "./base.ts";
import { filtersOf, isFilterFault } from "./search-filters.ts";

type Result = Operations["searchKnowledge"]["answer"]["data"][number];

const names = ["q", "kind", "limit", "filters"] as const;
const kindTexts: Readonly<Record<string, string>> = {
  vector: "By meaning",
  keyword: "By words",
  hybrid: "By both",
};
const limits = ["5", "10", "20", "50"];
const DEFAULT_LIMIT = "5";

/** Shows what agents would find: the chunks for a question, best first. */
export function Search({
  base,
  pathOf,
}: {
  readonly base: Base;
  readonly pathOf: (content: string) => string;
}) {
  const [asked, change] = useFilters(names);
  const { data: config } = useBaseConfig(base);
  const [query, setQuery] = useState(asked.q);
  const [kind, setKind] = useState(asked.kind);
  const [limit, setLimit] = useState(asked.limit || DEFAULT_LIMIT);
  const [filters, setFilters] = useState(asked.filters);
  const parsed = filtersOf(filters);
  const kinds = [...new Set((config?.vector_dbs ?? []).flatMap(({ search_types }) => search_types))];
  const isReady = query.trim() !== "" && !isFilterFault(parsed);
  return (
    <>
      <Form
        className="card search-form"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) change({ q: query, kind, limit: limit === DEFAULT_LIMIT ? "" : limit, filters });
        }}
      >
        <div className="search-query" data-search="">
          <TextField
            label="Question"
            value={query}
            onChange={setQuery}
            placeholder="What would a user ask?"
          />
        </div>
        <Select
          label="Kind"
          choices={[
            { id: "", text: "As agents search" },
            ...kinds.map((id) => ({ id, text: kindTexts[id] ?? id })),
          ]}
          value={kind}
          onChange={setKind}
        />
        <Select
          label="At most"
          choices={limits.map((id) => ({ id, text: `${id} chunks` }))}
          value={limit}
          onChange={setLimit}
        />
        <TextField
          label="Metadata is"
          placeholder="line = pumps, year = 2024"
          error={isFilterFault(parsed) ? parsed.fault : undefined}
          value={filters}
          onChange={setFilters}
        />
        <Button kind="main" type="submit" isDisabled={!isReady} icon={<SearchIcon size={14} aria-hidden />}>
          Search
        </Button>
      </Form>
      {asked.q === "" ? (
        <Empty title="Try what your agents would find" icon={<SearchIcon size={28} aria-hidden />}>
          <p>Ask a question as a user would. You see the chunks that an agent gets, the best first.</p>
        </Empty>
      ) : (
        <Results base={base} asked={asked} pathOf={pathOf} />
      )}
    </>
  );
}

type ResultsProps = {
  readonly base: Base;
  readonly asked: Readonly<Record<(typeof names)[number], string>>;
  readonly pathOf: (content: string) => string;
};

function Results({ base, asked, pathOf }: ResultsProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: [...keyOf(base), "search", asked],
    queryFn: ({ signal }) => platform.searchKnowledge({ body: bodyOf(base, asked) }, { signal }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  if (error) return <Failed error={error} retry={() => refetch()} />;
  if (!data) return <Skeleton lines={6} />;
  if (data.data.length === 0) {
    return (
      <Empty title="Nothing was found">
        <p>Contents that are still processed or failed are not searched. Filters must fit exactly.</p>
      </Empty>
    );
  }
  return (
    <ol className="results" aria-label="Chunks that were found" aria-busy={isPlaceholderData}>
      {data.data.map((result, at) => (
        <li key={result.id}>
          <Chunk result={result} rank={at + 1} pathOf={pathOf} />
        </li>
      ))}
    </ol>
  );
}

function bodyOf(base: Base, { q, kind, limit, filters }: ResultsProps["asked"]) {
  const parsed = filtersOf(filters);
  return {
    query: q,
    max_results: Number(limit || DEFAULT_LIMIT),
    ...(base.id !== undefined && { knowledge_id: base.id }),
    ...(kind !== "" && { search_type: kind as "vector" | "keyword" | "hybrid" }),
    ...(!isFilterFault(parsed) && Object.keys(parsed).length > 0 && { filters: parsed }),
  };
}

type ChunkProps = {
  readonly result: Result;
  readonly rank: number;
  readonly pathOf: (content: string) => string;
};

function Chunk({ result, rank, pathOf }: ChunkProps) {
  const { content, name, content_id, meta_data, reranking_score, size } = result;
  const title = name ?? "Unnamed";
  return (
    <article className="card result">
      <header className="result-head">
        <span className="result-rank number">{rank}</span>
        <h2 className="cut">
          {content_id === null ? title : <Link href={pathOf(content_id)}>{title}</Link>}
        </h2>
        <span className="small faint number">
          {reranking_score !== null && `score ${reranking_score.toFixed(3)} · `}
          {size !== null && `${countText(size)} characters`}
        </span>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must reach */}
      <div className="plain-text result-text" dir="auto" tabIndex={0}>
        {content}
      </div>
      {meta_data && (
        <dl className="result-meta">
          {Object.entries(meta_data).map(([key, value]) => (
            <div key={key} className="result-pair">
              <dt>{key}</dt>
              <dd>{typeof value === "string" ? value : JSON.stringify(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </article>
  );
}
