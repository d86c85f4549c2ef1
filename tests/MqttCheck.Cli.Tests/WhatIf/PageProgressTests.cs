using MqttCheck.Cli.Tests.Terminal;
using MqttCheck.Cli.WhatIf;

namespace MqttCheck.Cli.Tests.WhatIf;

[TestFixture]
internal sealed class PageProgressTests
{
    private readonly ManualTime _time = new();
    private readonly List<string> _lines = [];

    [Test]
    public async Task A_page_is_told_of_progress_now_and_then_and_of_the_end_of_a_stage()
    {
        var page = new PageProgress(_time, progress => _lines.AddRange(progress.Lines));
        page.Report(.1, "case 1 of 8");
        page.Warn("the broker is slow");
        var result = await page.ProgressAsync(
            "Explore",
            report =>
            {
                _time.Advance(TimeSpan.FromSeconds(6));
                report(.25, "case 2 of 8");
                report(.3, "case 3 of 8");
                return Task.FromResult(8);
            },
            cases => FormattableString.Invariant($"{cases} cases")
        );
        Assert.That(result, Is.EqualTo(8));
        Assert.That(
            _lines,
            Is.EqualTo(["warning: the broker is slow", "25 %, case 2 of 8", "Explore: 8 cases, 6.0 s"])
        );
    }
}
