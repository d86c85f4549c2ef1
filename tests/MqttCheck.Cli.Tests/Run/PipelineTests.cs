using MqttCheck.Cli.Run;

namespace MqttCheck.Cli.Tests.Run;

[TestFixture]
internal sealed class PipelineTests
{
    [TestCase(ExitCode.Success, false, false, ExitCode.Success)]
    [TestCase(ExitCode.Refuted, false, false, ExitCode.Refuted)]
    [TestCase(ExitCode.Success, true, false, ExitCode.Withheld)]
    [TestCase(ExitCode.Refuted, true, false, ExitCode.Refuted)]
    [TestCase(ExitCode.Success, false, true, ExitCode.Withheld)]
    [TestCase(ExitCode.Refuted, false, true, ExitCode.Withheld)]
    [TestCase(ExitCode.Interrupted, true, true, ExitCode.Interrupted)]
    public void A_run_ends_as_its_verdicts_do_unless_its_exploration_or_its_baseline_failed(
        int verdicts,
        bool lacksBaseline,
        bool isModelInvalid,
        int expected
    ) => Assert.That(Pipeline.ExitCodeOf(verdicts, lacksBaseline, isModelInvalid), Is.EqualTo(expected));
}
