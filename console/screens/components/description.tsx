import { Link } from "wouter";
import { Badge } from "../../parts/badge.tsx";
import { Card, Facts } from "../../parts/page.tsx";
import type { Described, DescribedMember, DescribedStep } from "./described.ts";

/** What a component is, in words. */
export function Description({
  of: described,
  isWorkflow,
}: {
  readonly of: Described;
  readonly isWorkflow: boolean;
}) {
  const { instructions, tools, members, steps, settings, model, mode } = described;
  return (
    <div className="component-panes">
      <div className="stack">
        {isWorkflow ? (
          <Card title="Steps">
            {steps.length === 0 ? <p className="soft">It has no steps.</p> : <Steps of={steps} />}
          </Card>
        ) : (
          <Card title="Instructions">
            {instructions.length === 0 ? (
              <p className="soft">None: the model receives only the message.</p>
            ) : instructions.length === 1 ? (
              <div className="plain-text" dir="auto">
                {instructions[0]}
              </div>
            ) : (
              <ol className="instructions">
                {instructions.map((text) => (
                  <li key={text} className="plain-text" dir="auto">
                    {text}
                  </li>
                ))}
              </ol>
            )}
          </Card>
        )}
        {members.length > 0 && (
          <Card title="Members">
            <ul className="stack-tight">
              {members.map((member) => (
                <li key={`${member.kind} ${member.id}`} className="row">
                  <MemberLink of={member} />
                </li>
              ))}
            </ul>
          </Card>
        )}
        {!isWorkflow && (
          <Card title="Tools" flush>
            {tools.length === 0 ? (
              <p className="card-body soft">It has no tools of its own.</p>
            ) : (
              <ul className="tools">
                {tools.map(({ name, description, flags }) => (
                  <li key={name}>
                    <div className="row">
                      <code>{name}</code>
                      {flags.map((flag) => (
                        <Badge key={flag} tone="warn">
                          {flag}
                        </Badge>
                      ))}
                    </div>
                    {description !== undefined && (
                      <div className="small soft" dir="auto">
                        {description}
                      </div>
                    )}
                  </li>
                ))}
              </ul>
            )}
          </Card>
        )}
      </div>
      <Card title="Settings">
        <Facts
          of={[
            [
              "Model",
              isWorkflow ? undefined : (model ?? <span className="soft">The platform’s default</span>),
            ],
            ["Mode", mode],
            ...settings.map(([name, text]) => [name, <Value key={name} text={text} />] as const),
          ]}
        />
        {isWorkflow && settings.length === 0 && <p className="soft">Everything is at its default.</p>}
      </Card>
    </div>
  );
}

const LONG = 160;

function Value({ text }: { readonly text: string }) {
  return text.length > LONG ? (
    <div className="plain-text value-long" dir="auto">
      {text}
    </div>
  ) : (
    text
  );
}

function MemberLink({ of: { kind, id, name } }: { readonly of: DescribedMember }) {
  return (
    <>
      <Link href={`/components/${encodeURIComponent(id)}`}>{name ?? id}</Link>
      <span className="small faint">{name === undefined || name === id ? kind : `${kind} ${id}`}</span>
    </>
  );
}

const typeWords: Readonly<Record<string, string>> = {
  Parallel: "at the same time",
  Loop: "in a loop",
  Condition: "if its condition holds",
  Router: "one of these is chosen",
  Steps: "one after the other",
  Function: "a function of the code",
};

function Steps({ of: steps }: { readonly of: readonly DescribedStep[] }) {
  return (
    <ol className="steps">
      {steps.map((step, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps may have the same name, and do not move
        <li key={at}>
          <div className="row">
            <span className="step-name">{step.name || step.type}</span>
            {step.runs && <MemberLink of={step.runs} />}
            {typeWords[step.type] !== undefined && (
              <span className="small faint">{typeWords[step.type]}</span>
            )}
            {step.flags.map((flag) => (
              <Badge key={flag} {...(flag.startsWith("function") ? {} : { tone: "warn" as const })}>
                {flag}
              </Badge>
            ))}
          </div>
          {step.description !== undefined && (
            <div className="small soft" dir="auto">
              {step.description}
            </div>
          )}
          {step.steps.length > 0 && <Steps of={step.steps} />}
          {step.otherwise.length > 0 && (
            <>
              <div className="small faint">otherwise</div>
              <Steps of={step.otherwise} />
            </>
          )}
        </li>
      ))}
    </ol>
  );
}
