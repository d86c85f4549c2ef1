using MqttCheck.App.Runs;
using MqttCheck.Cli.Verify;
using MqttCheck.Verification.Planning;

namespace MqttCheck.Cli.Tests.Verify;

[TestFixture]
internal sealed class VerifyStageTests
{
    // So that half of the runs in a bad state do not go unseen: .5^8 is below .005. It still ends within three minutes
    // with 60 s of exploration.
    [Test]
    public void A_run_makes_eight_runs_at_least_and_fits_its_time()
    {
        var schedule = VerificationSchedule.For(
            SamplePrediction.Predicted,
            [SamplePrediction.First],
            new() { MinimumRuns = RunPlan.Full.Runs },
            isFixed: false,
            RunPlan.Full.Verification
        );
        Assert.That(schedule.Runs, Is.InRange(8, VerificationSchedule.MostRuns));
        Assert.That(schedule.Time, Is.LessThan(RunPlan.Full.Verification));
        TestContext.Out.WriteLine($"{schedule.Runs} runs, {schedule.Time.TotalSeconds:0} s");
    }

    [Test]
    public void A_larger_setup_that_is_passed_over_is_named_with_the_reason_and_the_way_to_choose_it() =>
        Assert.That(
            VerifyText.PassedOver(new([], [new("up1", 200, 20, .84, new(.45, 1))])).Single(),
            Does.StartWith("up1 with 200 clients is not verified")
                .And.Contain("[0.450, 1.000]")
                .And.Contain("--verify-clients")
        );
}
