import { useLocation } from "wouter";
import { type Kind, kinds } from "../../api/kinds.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty, Failed, Skeleton } from "../../parts/state.tsx";
import { ChatScreen } from "./chat-screen.tsx";
import { Compare } from "./compare.tsx";
import { ComponentList } from "./component-list.tsx";
import { useComponents } from "./use-components.ts";

/**
 * Components to talk to, and conversations with them. One route holds all of it, so that a conversation stays as it is
 * when its first message gives it an address.
 */
export default function Playground() {
  // The router notifies of changes; ids are read from the address itself, where each is encoded once.
  useLocation();
  const [kind, component, session] = location.pathname.split("/").slice(3).map(decodeURIComponent);
  if (kind === "compare") return <Compare />;
  if (!isKind(kind) || component === undefined) return <ComponentList />;
  return <Chosen kind={kind} id={component} session={session} />;
}

const isKind = (text: string | undefined): text is Kind => kinds.some((kind) => kind === text);

type ChosenProps = { readonly kind: Kind; readonly id: string; readonly session: string | undefined };

function Chosen({ kind, id, session }: ChosenProps) {
  const { components, isPending, error, retry } = useComponents();
  const found = components.find((one) => one.kind === kind && one.id === id);
  if (found) return <ChatScreen key={`${kind}/${id}`} component={found} session={session} />;
  return (
    <Page title="Playground">
      {error ? (
        <Failed error={error} retry={retry} />
      ) : isPending ? (
        <Skeleton lines={6} />
      ) : (
        <Empty title={`No ${kind} is called ${id}`}>
          <p>It may have been removed, or you may not run it.</p>
          <ButtonLink to="/playground">Show all components</ButtonLink>
        </Empty>
      )}
    </Page>
  );
}
