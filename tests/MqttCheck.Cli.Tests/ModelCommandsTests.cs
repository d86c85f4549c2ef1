using MqttCheck.Cli.Terminal;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Tests;

[TestFixture]
internal sealed class ModelCommandsTests : DirectoryFixture
{
    // P(max of 10 LogN(0, .5) < 2) = .421217; the interval is .42 +- .05 with 99 % confidence, the seed is fixed.
    [Test]
    public async Task An_exported_setup_can_be_checked()
    {
        var file = In("up1.jani");
        var (exported, _) = await TestTool.RunAsync(
            "export",
            "--law",
            "lognormal:1ms,0.5",
            "--clients",
            "2",
            "--threshold",
            "2ms",
            "--out",
            file
        );
        Assert.That(exported, Is.EqualTo(ExitCode.Success));
        var screen = await TestTool.SucceedAsync(
            "check-model",
            file,
            "--property",
            "all within 2 ms",
            "--epsilon",
            "0.05"
        );
        var value = double.Parse(
            screen.Output.Split(" = ")[1].Split(' ')[0],
            System.Globalization.CultureInfo.InvariantCulture
        );
        Assert.That(value, Is.EqualTo(.421217).Within(.05));
        Assert.That(screen.Output, Does.Contain("99%, sequential Clopper-Pearson"));
    }

    // 1 - Phi(5)^10 = 2.8665e-6.
    [Test]
    public async Task The_tail_of_a_latency_is_estimated_by_splitting()
    {
        var screen = await TestTool.SucceedAsync(
            "split",
            "--law",
            "lognormal:1ms,0.5",
            "--threshold",
            "12.18249396ms",
            "--effort",
            "200"
        );
        var value = double.Parse(
            screen.Output.Split(" = ")[1].Split(' ')[0],
            System.Globalization.CultureInfo.InvariantCulture
        );
        Assert.That(value, Is.InRange(1.5e-6, 5e-6));
    }

    [Test]
    public async Task The_sample_log_is_learned_as_it_is_and_a_regression_is_printed_with_its_tests()
    {
        var sample = TestTool.Sample("logs/embedded.csv.gz");
        var file = In("model.json");
        var screen = await TestTool.SucceedAsync("learn", sample, "--learner", "least-squares", "--out", file);
        Assert.That(
            screen.Output,
            Does.Match(@"regressor +coefficient, ms +standard error +t +p")
                .And.Match(@"intercept +[0-9.]+ +[0-9.]+ +[0-9.]+ +< 2e-16")
                .And.Match(
                    "R2 0[.0-9]*, adjusted [-.0-9]+; residual deviation [.0-9]+ ms with [0-9]+ degrees of freedom"
                )
                .And.Match("trained on: .*up1.* with mean waits of [0-9.]+ to [0-9.]+ ms")
        );
        Assert.That(screen.Error, Does.Not.Contain("warning"));
    }

    [TestCase("export", "--clients", "1", "neither --model nor --law")]
    [TestCase("export", "--law", "gauss:1ms", "gauss")]
    [TestCase("check-model", "no-such.jani", "--epsilon", "0.1", "no-such.jani")]
    [TestCase("split", "--law", "constant:5ms", "--threshold")]
    public Task Wrong_input_is_refused_with_its_reason(params string[] words) =>
        TestTool.AssertRefusedAsync(words[..^1], words[^1]);
}
