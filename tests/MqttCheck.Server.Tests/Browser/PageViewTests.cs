using Microsoft.Playwright;

namespace MqttCheck.Server.Tests.Browser;

/// <summary>The page as people meet it: wide and narrow, light and dark, by eye, keyboard and screen reader.</summary>
[TestFixture]
internal sealed class PageViewTests
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

    private TestServer _server = null!;
    private PageBrowser _browser = null!;
    private List<string> _complaints = null!;

    [OneTimeSetUp]
    public async Task StartAsync()
    {
        _browser = await PageBrowser.StartAsync();
        _server = await TestServer.StartAsync(live: new NoBroker());
    }

    [OneTimeTearDown]
    public async Task StopAsync()
    {
        if (_server is not null)
            await _server.DisposeAsync();
        if (_browser is not null)
            await _browser.DisposeAsync();
    }

    [SetUp]
    public void Forget() => _complaints = [];

    [TestCase(1280, ColorScheme.Light)]
    [TestCase(1280, ColorScheme.Dark)]
    [TestCase(390, ColorScheme.Light)]
    [TestCase(390, ColorScheme.Dark)]
    [Category("Whole")]
    public async Task Every_view_is_accessible_and_nothing_is_cut_or_covered(int width, ColorScheme scheme)
    {
        var axe = RepositoryFiles.At(AxeFile);
        PageBrowser.Require(File.Exists(axe), "axe-core: 'npm ci' in src/MqttCheck.Reports/viewer");
        var page = await OpenAsync(
            new()
            {
                ViewportSize = new() { Width = width, Height = 900 },
                ColorScheme = scheme,
            }
        );
        await LookAsync(page, axe, $"{width}-{scheme}-first");

        await page.Locator("#add").ClickAsync();
        await page.Locator("#profile").SelectOptionAsync("up2");
        await page.WaitForSelectorAsync("#comparison-figure svg");
        await PageBrowser.AnsweredAsync(page);
        await page.Locator("#ask-changes").ClickAsync();
        await page.Locator("#fleet", new() { HasText = "All changes are tried." }).WaitForAsync();
        await page.Locator("#family").FillAsync("ring:3");
        await page.Locator("#properties").FillAsync("E[ lost ]");
        await page.Locator("#ask-cluster").ClickAsync();
        await page.Locator("#cluster-status", new() { HasText = "Simulated." }).WaitForAsync();
        await page.Locator("#copy-command").ClickAsync();
        await page.Locator("#copied", new() { HasText = "copied" }).WaitForAsync();
        await page.Locator("#source summary").ClickAsync();
        await LookAsync(page, axe, $"{width}-{scheme}-all");
        Assert.That(_complaints, Is.Empty);
    }

    [Test]
    [Category("Whole")]
    public async Task The_newcomers_path_goes_by_keyboard_alone()
    {
        var page = await OpenAsync();
        var before = await page.Locator("#answer").InnerTextAsync();
        await TabToAsync(page, "clients-slider");
        for (var step = 0; step < 10; step++)
            await page.Keyboard.PressAsync("ArrowRight");
        await page.WaitForFunctionAsync("before => document.getElementById('answer').textContent !== before", before);
        await PageBrowser.AnsweredAsync(page);
        await TabToAsync(page, "add");
        await page.Keyboard.PressAsync("Enter");
        await page.WaitForSelectorAsync("#comparison-figure svg");
        await TabToAsync(page, "copy-command");
        await page.Keyboard.PressAsync("Enter");
        await page.Locator("#copied", new() { HasText = "copied" }).WaitForAsync();
        Assert.That(
            await page.EvaluateAsync<string>("navigator.clipboard.readText()"),
            Does.StartWith("mqttcheck predict ")
        );
        Assert.That(_complaints, Is.Empty);
    }

    // Letters may be smoothed in another way on another machine, so the size is compared. With
    // MQTTCHECK_UPDATE_PICTURES=true the picture is made anew.
    [Test]
    [Category("Whole")]
    public async Task The_picture_in_the_manual_is_one_of_this_page()
    {
        var page = await OpenAsync(
            new()
            {
                ViewportSize = new() { Width = 1180, Height = 860 },
            }
        );
        await page.Locator("#clients").FillAsync("120");
        await page.WaitForFunctionAsync(
            "() => document.getElementById('answer').textContent.startsWith('120 clients')"
        );
        await PageBrowser.AnsweredAsync(page);
        await page.EvaluateAsync("() => document.activeElement.blur()");
        var picture = await page.ScreenshotAsync();
        var file = RepositoryFiles.At("docs/images/what-if.png");
        if (Environment.GetEnvironmentVariable("MQTTCHECK_UPDATE_PICTURES") == "true")
            await File.WriteAllBytesAsync(file, picture);
        Assert.That(Size(await File.ReadAllBytesAsync(file)), Is.EqualTo(Size(picture)));

        // The size of a PNG file stands in its header.
        static string Size(byte[] png) => Convert.ToHexString(png.AsSpan(16, 8));
    }

    [Test]
    [Category("Whole")]
    public async Task Every_chart_has_its_table()
    {
        var page = await OpenAsync();
        Assert.That(await page.Locator("figure").CountAsync(), Is.EqualTo(1));
        Assert.That(await page.Locator("figure:has(details table tbody tr)").CountAsync(), Is.EqualTo(1));
        Assert.That(await page.Locator("figure svg[role=img][aria-labelledby]").CountAsync(), Is.EqualTo(1));
    }

    [Test]
    [Category("Whole")]
    public async Task The_address_repeats_the_question()
    {
        var page = await OpenAsync();
        await page.Locator("#clients").FillAsync("17");
        await page.Locator("#threshold").FillAsync("25");
        await page.Locator("#profile").SelectOptionAsync("up2");
        await page.WaitForFunctionAsync("() => document.getElementById('answer').textContent.startsWith('17 clients')");
        await PageBrowser.AnsweredAsync(page);
        var answer = await page.Locator("#answer").InnerTextAsync();
        var again = await OpenAsync(fragment: new Uri(page.Url).Fragment);
        Assert.That(await again.Locator("#answer").InnerTextAsync(), Is.EqualTo(answer));
        Assert.That(await again.Locator("#profile").InputValueAsync(), Is.EqualTo("up2"));
    }

    [Test]
    [Category("Whole")]
    public async Task What_the_reader_refuses_is_said_beside_the_form_in_its_words()
    {
        var page = await OpenAsync();
        await page.GetByLabel("Topics").FillAsync("0");
        await page.Locator("#refusal").WaitForAsync();
        Assert.That(
            await page.Locator("#refusal").InnerTextAsync(),
            Is.EqualTo("question:1: scenarios[0].profile.topics: 0 given; allowed: an integer, 1 .. 65536")
        );
        await page.GetByLabel("Topics").FillAsync("10");
        await page.Locator("#refusal").WaitForAsync(new() { State = WaitForSelectorState.Hidden });
        // A refused request is an error of the console as Chromium sees it, and no other is allowed.
        Assert.That(_complaints, Has.All.Contain("400"));
    }

    private async Task LookAsync(IPage page, string axe, string name)
    {
        Directory.CreateDirectory(Screens);
        await page.ScreenshotAsync(new() { Path = Path.Combine(Screens, name + ".png"), FullPage = true });
        TestContext.AddTestAttachment(Path.Combine(Screens, name + ".png"));
        Assert.That(await page.EvaluateAsync<string[]>(Overlaps), Is.Empty, name);
        await page.EvaluateAsync(await File.ReadAllTextAsync(axe));
        var violations = await page.EvaluateAsync<string[]>(
            "async () => (await axe.run()).violations.map(({ id, nodes }) => "
                + "`${id}: ${nodes.map(({ html }) => html).join(' ')}`)"
        );
        Assert.That(violations, Is.Empty, name);
    }

    private static string Screens => Path.Combine(TestContext.CurrentContext.WorkDirectory, "screens");

    // Back and forth: a reader of a screen does the same.
    private static async Task TabToAsync(IPage page, string id)
    {
        for (var presses = 0; presses < 200; presses++)
        {
            await page.Keyboard.PressAsync("Tab");
            if (await page.EvaluateAsync<string>("document.activeElement?.id ?? ''") == id)
                return;
        }
        Assert.Fail($"Tab never comes to #{id}");
    }

    private Task<IPage> OpenAsync(BrowserNewContextOptions? options = null, string fragment = "") =>
        _browser.OpenAsync(_server.Server.Address + fragment, _complaints, options);
}
