import type { ComponentChildren } from 'preact';

/** In place of what cannot be shown: what is the matter, and what to do. */
export const Notice = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <main class="notice">
    <h1>{title}</h1>
    {children}
  </main>
);

export const Banner = ({
  tone = 'plain',
  children,
}: {
  tone?: 'plain' | 'bad';
  children: ComponentChildren;
}) => (
  <div class={`banner ${tone}`} role="status">
    {children}
  </div>
);
