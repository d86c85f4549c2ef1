using System.Globalization;
using System.Text.RegularExpressions;
using MqttCheck.Cli.Terminal;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Tests.Audit;

/// <summary>The page that <c>mqttcheck audit --promises</c> writes, from two of its cells.</summary>
[TestFixture]
internal sealed class PromisePageTests : DirectoryFixture
{
    // 5000 simulations with seed 1 left .0010 of right predictions unconfirmed on a quiet broker, and .3650 with 8
    // times its variance; before it was .0023 of 3000, and .3817.
    [Test]
    public async Task The_page_has_the_shares_before_and_now_and_what_makes_it_again()
    {
        var path = In("page.md");
        string[] command =
        [
            "audit",
            "--promises",
            "--only",
            "Model|run --quick, power",
            "--simulations",
            "5000",
            "-o",
            path,
        ];
        var (code, screen) = await TestTool.RunAsync(command);
        var page = await File.ReadAllTextAsync(path);
        Assert.That(code, Is.EqualTo(ExitCode.Success), screen.Error);
        Assert.That(screen.Error, Does.Match(@"(?m)^3 of \d+ cells, 5000 simulations of each at least: about 1 min"));
        Assert.That(
            page,
            Does.Contain(
                "    mqttcheck audit --promises --simulations 5000 --only "
                    + "'Model|run --quick, power' --seed 1 --output page.md"
            )
        );
        const string Counts =
            "2 of 2 promises are kept at the stated error. 0 are kept with the printed exception only. "
            + "0 are broken, 0 undecided. 1 more cells lie outside of what is promised.";
        var words = Regex.Replace(page, @"\s+", " ");
        Assert.That(words, Does.Contain(Counts));
        Assert.That(screen.Output, Does.Contain(Counts));
        Assert.That(
            words,
            Does.Contain("vary around one level like a beta law, with a correlation of at most .4 inside")
        );
        Assert.That(
            page,
            Does.Match(@"\| run --quick, power \| 2 \| 0 \| 0 \| 0 \| 1 \| planned for so much variance; ")
        );
        Assert.That(page, Does.Contain("[The whole table](page.csv)"));
        var table = await File.ReadAllLinesAsync(Path.ChangeExtension(path, ".csv"));
        Assert.That(table, Has.Length.EqualTo(4));
        var quiet = table.Single(line => line.Contains("planned for a quiet broker", StringComparison.Ordinal));
        var share = Regex.Match(quiet, @",,,(0\.\d+),.*,5000,outside,0\.3817$").Groups[1];
        Assert.That(double.Parse(share.Value, CultureInfo.InvariantCulture), Is.EqualTo(.3650).Within(.0001));
        Assert.That(page.Split('\n').Where(line => !line.StartsWith('|')).Max(line => line.Length), Is.AtMost(110));
    }

    [Test]
    public Task A_part_that_is_none_is_refused_before_anything_is_simulated() =>
        TestTool.AssertRefusedAsync(
            ["audit", "--promises", "--only", "no such law"],
            "--only is 'no such law'; allowed: a text that one of the"
        );
}
