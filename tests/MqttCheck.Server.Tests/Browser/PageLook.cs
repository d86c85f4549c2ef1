using Microsoft.Playwright;

namespace MqttCheck.Server.Tests.Browser;

/// <summary>Looks at a page as it stands: a picture, texts that are cut or covered, and what axe-core finds.</summary>
internal static class PageLook
{
    private const string AxeFile = "src/MqttCheck.Reports/viewer/node_modules/axe-core/axe.min.js";

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
              if (!parent.closest('.scroll') && (box.right > document.documentElement.clientWidth + 1 || box.left < -1)) found.push('cut: ' + node.textContent.trim());
              if (!parent.closest('.scroll')) boxes.push({ box, node, text: node.textContent.trim() });
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

    private static string Screens => Path.Combine(TestContext.CurrentContext.WorkDirectory, "screens");

    /// <summary>Fails where a text is cut or covered, or axe-core finds a violation.</summary>
    /// <param name="page">The page.</param>
    /// <param name="name">The picture's name.</param>
    public static async Task LookAsync(IPage page, string name)
    {
        var axe = RepositoryFiles.At(AxeFile);
        PageBrowser.Require(File.Exists(axe), "axe-core: 'npm ci' in src/MqttCheck.Reports/viewer");
        Directory.CreateDirectory(Screens);
        await page.ScreenshotAsync(new() { Path = Path.Combine(Screens, name + ".png"), FullPage = true });
        TestContext.AddTestAttachment(Path.Combine(Screens, name + ".png"));
        Assert.That(await page.EvaluateAsync<string[]>(Overlaps), Is.Empty, name);
        if (!await page.EvaluateAsync<bool>("() => 'axe' in window"))
            await page.EvaluateAsync(await File.ReadAllTextAsync(axe));
        var violations = await page.EvaluateAsync<string[]>(
            "async () => (await axe.run()).violations.map(({ id, nodes }) => "
                + "`${id}: ${nodes.map(({ html }) => html).join(' ')}`)"
        );
        Assert.That(violations, Is.Empty, name);
    }
}
