import { useQuery } from "@tanstack/react-query";
import { registry } from "../../api/queries.ts";
import { countText } from "../../parts/amounts.ts";
import { Card } from "../../parts/page.tsx";
import { Failed, Skeleton } from "../../parts/state.tsx";

/** Types that need another word than their own with an s. */
const plurals: Readonly<Record<string, string>> = { db: "databases", knowledge: "knowledge bases" };

const wordsOf = (type: string): string => {
  const words = plurals[type] ?? `${type.replaceAll("_", " ")}s`;
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** What code registered, by its type. */
export function RegistryCard() {
  const { data, error, refetch } = useQuery(registry);
  const byType = Map.groupBy(data ?? [], ({ type }) => type);
  return (
    <Card title="Registered by code" flush={data !== undefined}>
      {error && !data ? (
        <Failed error={error} retry={() => refetch()} />
      ) : !data ? (
        <Skeleton lines={4} />
      ) : (
        <table className="table registry">
          <tbody>
            {[...byType].map(([type, entries]) => (
              <tr key={type}>
                <th scope="row">{wordsOf(type)}</th>
                <td className="end faint">{countText(entries.length)}</td>
                <td>
                  <ul className="names">
                    {entries.map(({ id, name, description }) => (
                      <li key={id ?? name} title={description}>
                        {name}
                      </li>
                    ))}
                  </ul>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}
