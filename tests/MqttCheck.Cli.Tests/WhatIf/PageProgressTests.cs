using MqttCheck.Cli.Tests.Terminal;
using MqttCheck.Cli.WhatIf;

namespace MqttCheck.Cli.Tests.WhatIf;

[TestFixture]
internal sealed class PageProgressTests
{
    private readonly ManualTime _time = new();
    private readonly List<string> _lines = [];
    private readonly List<(double Share, string Activity)> _shares = [];

    [SetUp]
    public void Forget()
    {
        _lines.Clear();
        _shares.Clear();
    }

    [Test]
    public async Task A_page_is_told_of_progress_now_and_then_and_of_the_end_of_a_stage()
    {
        var page = new PageProgress(
            _time,
            progress =>
            {
                _lines.AddRange(progress.Lines);
                if (progress.Activity.Length > 0)
                    _shares.Add((progress.Share, progress.Activity));
            }
        );
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
        Assert.That(_lines, Is.EqualTo(["warning: the broker is slow", "Explore: 8 cases, 6.0 s"]));
        Assert.That(_shares, Is.EqualTo([(.25 * .95, "case 2 of 8")]), "not more often than people read");
    }

    [Test]
    public void The_share_is_of_the_whole_work_never_falls_and_is_not_whole_before_the_end()
    {
        var page = new PageProgress(_time, progress => _shares.Add((progress.Share, progress.Activity)));
        foreach (var share in (double[])[.5, .2, double.NaN, 1])
        {
            _time.Advance(TimeSpan.FromSeconds(6));
            page.Report(share, "run");
        }
        Assert.That(_shares.Select(one => one.Share), Is.EqualTo([.475, .475, .475, .95]).Within(1e-12));
    }
}
