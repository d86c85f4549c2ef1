using Microsoft.Playwright;
using MqttCheck.Reports.Tests;

namespace MqttCheck.Server.Tests.Browser;

/// <summary>Looks at a page as it stands: a picture, texts that are cut or covered, and what axe-core finds.</summary>
internal static class PageLook
{
    // Texts that stick out of the page, or leaves of the text that cover each other. What is scrolled or hidden is not
    // looked at, and neither are the labels inside of a chart's drawing, which the report's tests look at.
    private const string Overlaps = """
        () => {
          const found = [];
          const boxes = [];
          const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const parent = node.parentElement;
            if (node.textContent.trim() === '' || parent.closest('svg, .unseen, [hidden], option, textarea, details:not([open]) > :not(summary)')) continue;
            const range = document.createRange();
            range.selectNodeContents(node);
            for (const box of range.getClientRects()) {
              if (box.width < 1 || box.height < 1) continue;
              if (!parent.closest('.scroll, #quality') && (box.right > document.documentElement.clientWidth + 1 || box.left < -1)) found.push('cut: ' + node.textContent.trim());
              if (!parent.closest('.scroll, #quality')) boxes.push({ box, node, text: node.textContent.trim() });
            }
          }
          for (let i = 0; i < boxes.length; i++) for (let k = i + 1; k < boxes.length; k++) {
            const [a, b] = [boxes[i], boxes[k]];
            if (a.node === b.node) continue;
            const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
            const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
            if (across > 2 && down > 4) found.push(`${a.text} over ${b.text}`);
          }
          for (const control of document.querySelectorAll('button, select')) {
            if (control.scrollWidth > control.clientWidth + 1 && control.tagName === 'BUTTON') found.push('cut button: ' + control.textContent);
          }
          if (document.documentElement.scrollWidth > document.documentElement.clientWidth) found.push('the page scrolls sideways');
          return found;
        }
        """;

    /// <summary>
    /// Looks at a page on a wide and a narrow screen, in the light and the dark: nothing is cut or covered, and
    /// axe-core finds nothing.
    /// </summary>
    /// <param name="page">The page.</param>
    /// <param name="name">Names its pictures.</param>
    /// <param name="more">Finds further faults of the view, by a function of the page.</param>
    public static async Task LookAsync(IPage page, string name, string more = "() => []")
    {
        foreach (var width in (int[])[1280, 390])
        {
            await page.SetViewportSizeAsync(width, 900);
            // Below the top the headline covers what is scrolled under it, as it should.
            await page.EvaluateAsync("() => scrollTo(0, 0)");
            // Charts are drawn again for the new width.
            await page.WaitForFunctionAsync(
                "() => [...document.querySelectorAll('figure .stage > svg')].filter(svg => svg.checkVisibility())"
                    + ".every(svg => svg.viewBox.baseVal?.width <= innerWidth && (!svg.hasAttribute('width') "
                    + "|| Math.abs(svg.getAttribute('width') - svg.parentElement.clientWidth) < 2))"
            );
            foreach (var scheme in (ColorScheme[])[ColorScheme.Light, ColorScheme.Dark])
            {
                await page.EmulateMediaAsync(new() { ColorScheme = scheme });
                var view = $"{name}-{width}-{scheme}";
                await Chromium.TakePictureAsync(page, view);
                Assert.That(await page.EvaluateAsync<string[]>(Overlaps), Is.Empty, view);
                Assert.That(await page.EvaluateAsync<string[]>(more), Is.Empty, view);
                Assert.That(await Chromium.ViolationsAsync(page), Is.Empty, view);
            }
        }
    }
}
