using Microsoft.Playwright;

namespace MqttCheck.Reports.Tests.Browser;

/// <summary>Looks at a page as it stands: texts that are cut or covered, and what axe-core finds.</summary>
internal static class ReportLook
{
    // Each text of the page and of its charts with its box. What scrolls by itself is cut on purpose.
    private const string Faults = """
        () => {
          const faults = [];
          const boxes = [];
          const visible = (element) => element.checkVisibility({ visibilityProperty: true });
          const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const parent = node.parentElement;
            const text = node.textContent.trim();
            if (text === '' || parent.closest('.unseen, option, thead, title') || !visible(parent)) continue;
            const range = document.createRange();
            range.selectNodeContents(node);
            const scrolls = parent.closest('.scroll');
            const svg = parent.closest('svg');
            const rotated = parent.closest('[transform*=rotate]');
            const stage = svg?.closest('figure')?.getBoundingClientRect();
            for (const box of range.getClientRects()) {
              if (box.width < 1 || box.height < 1) continue;
              if (scrolls) continue;
              if (box.right > document.documentElement.clientWidth + 1 || box.left < -1) faults.push('cut: ' + text);
              if (stage && (box.left < stage.left || box.right > stage.right || box.top < stage.top || box.bottom > stage.bottom)) faults.push('outside of its chart: ' + text);
              // The box of a slanted text is not the text.
              if (!rotated) boxes.push({ box, node, text, svg });
            }
          }
          for (let i = 0; i < boxes.length; i++) for (let k = i + 1; k < boxes.length; k++) {
            const [a, b] = [boxes[i], boxes[k]];
            if (a.node === b.node) continue;
            const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
            const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
            if (across > 1.5 && down > 3.5) faults.push(`${a.text} over ${b.text}`);
          }
          // Labels and the lines of the same chart: no point of a line inside of a label.
          for (const svg of document.querySelectorAll('.stage > svg')) {
            const labels = boxes.filter((one) => one.svg === svg);
            const lines = [...svg.querySelectorAll('path, line')].filter((line) => getComputedStyle(line).stroke !== 'none' && !line.closest('[data-part*=tick], [data-part*=grid], [data-part=tip]') && visible(line));
            for (const line of lines) {
              const matrix = line.getScreenCTM();
              const length = line.getTotalLength();
              for (let at = 0; at <= length; at += Math.max(2, length / 800)) {
                const point = line.getPointAtLength(at).matrixTransform(matrix);
                const hit = labels.find(({ box }) => point.x > box.left + 1 && point.x < box.right - 1 && point.y > box.top + 3 && point.y < box.bottom - 3);
                if (hit) { faults.push(`a line over ${hit.text} in ${svg.closest('figure').id}`); break; }
              }
            }
            // Nothing that is drawn leaves its figure.
            const figure = svg.closest('figure').getBoundingClientRect();
            for (const part of svg.querySelectorAll('path, rect, circle, line')) {
              const box = part.getBoundingClientRect();
              if (box.width + box.height > 0 && (box.left < figure.left - 1 || box.right > figure.right + 1 || box.top < figure.top - 1 || box.bottom > figure.bottom + 1)) faults.push('a part is cut in ' + svg.closest('figure').id);
            }
          }
          // A table that has to be scrolled sideways cuts a column; those behind the charts are closed.
          for (const scroll of document.querySelectorAll('.scroll')) if (visible(scroll) && scroll.scrollWidth > scroll.clientWidth + 1) faults.push('cut column: ' + scroll.getAttribute('aria-label'));
          if (document.documentElement.scrollWidth > document.documentElement.clientWidth) faults.push('the page scrolls sideways');
          return [...new Set(faults)];
        }
        """;

    /// <summary>Takes a picture of a page and finds what is cut, covered or crossed on it.</summary>
    public static async Task<string[]> FaultsAsync(IPage page, string name)
    {
        await Chromium.TakePictureAsync(page, name);
        return await page.EvaluateAsync<string[]>(Faults);
    }
}
