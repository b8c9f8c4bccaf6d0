import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { Learning } from "../../../client/index.ts";
import { useMay } from "../../access/use-me.ts";
import { addressOf } from "../../api/address.ts";
import { platform } from "../../api/platform.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Json } from "../../parts/json.tsx";
import { notify, notifyFailure } from "../../parts/messages.tsx";
import { Facts } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { CorrectLearning } from "./correct-learning.tsx";

/** Types that the platform itself writes; there may be others. */
export const typeNames: Readonly<Record<string, string>> = {
  user_profile: "Profile of a user",
  user_memory: "Memory of a user",
  session_context: "Context of a session",
  entity_memory: "About something",
  learned_knowledge: "Knowledge",
  decision_log: "Decision",
};

/** One learning with its content, and what may be done with it. */
export function LearningRow({ learning }: { readonly learning: Learning }) {
  const may = useMay();
  const [isCorrecting, setCorrecting] = useState(false);
  const { content, learning_type, entity_type, entity_id, user_id, session_id, updated_at } = learning;
  const type = typeNames[learning_type] ?? learning_type;
  return (
    <li className="card kept">
      <div className="kept-text stack-tight">
        <div className="row">
          <h2 className="kept-title" dir="auto">
            {entity_id ?? type}
          </h2>
          <Badge tone="plain">
            {entity_id === null ? learning_type : `${type}${entity_type ? `: ${entity_type}` : ""}`}
          </Badge>
        </div>
        <Content content={content ?? {}} />
        <div className="kept-foot">
          {user_id !== null && (
            <Link href={addressOf("/memories", { view: "learnings", user: user_id })}>{user_id}</Link>
          )}
          {session_id !== null && (
            <Link href={`/sessions/${encodeURIComponent(session_id)}`}>Open the session</Link>
          )}
          {(learning.agent_id ?? learning.team_id) !== null && (
            <span>by {learning.agent_id ?? learning.team_id}</span>
          )}
          <span>
            changed <Time at={updated_at} />
          </span>
        </div>
      </div>
      <div className="kept-acts">
        {may("learnings:write") && (
          <Button
            kind="plain"
            size="small"
            icon={<Pencil size={14} aria-hidden />}
            label={`Correct ${entity_id ?? type}`}
            onPress={() => setCorrecting(true)}
          />
        )}
        {may("learnings:delete") && <Remove learning={learning} name={entity_id ?? type} />}
      </div>
      {isCorrecting && <CorrectLearning learning={learning} onClose={() => setCorrecting(false)} />}
    </li>
  );
}

/** Texts, numbers and lists of them as pairs; what is nested deeper as JSON. */
function Content({ content }: { readonly content: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(content);
  if (entries.length === 0) return <p className="soft">Without content</p>;
  if (!entries.every(([, value]) => isPlain(value) || (Array.isArray(value) && value.every(isPlain))))
    return <Json value={content} />;
  return (
    <Facts
      of={entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : String(value)])}
    />
  );
}

const isPlain = (value: unknown): boolean => typeof value !== "object" || value === null;

function Remove({ learning, name }: { readonly learning: Learning; readonly name: string }) {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const remove = useMutation({
    mutationFn: () => platform.removeLearning({ path: { learning_id: learning.learning_id } }),
    onSuccess: () => {
      notify("The learning is deleted.");
      setOpen(false);
    },
    onError: notifyFailure,
    onSettled: () => client.invalidateQueries({ queryKey: ["learnings"] }),
  });
  return (
    <>
      <Button
        kind="plain"
        size="small"
        icon={<Trash2 size={14} aria-hidden />}
        label={`Delete ${name}`}
        onPress={() => setOpen(true)}
      />
      <Confirm
        title="Delete this learning?"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        action="Delete the learning"
        isDangerous
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <p>Agents no longer know it in their next runs. It cannot be restored.</p>
      </Confirm>
    </>
  );
}
