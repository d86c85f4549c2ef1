using MqttCheck.Brokers.Embedded;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Sequential.Runs;
using MqttCheck.Testing;
using MqttCheck.Testing.Tests;
using NUnit.Framework.Constraints;
using NUnit.Framework.Internal;

namespace MqttCheck.NUnit.Tests;

/// <summary>
/// What NUnit adds to a requirement on a measurement. Thresholds lie far off on both sides and all runs count, so that
/// the speed of the machine does not matter.
/// </summary>
[TestFixture, NonParallelizable]
public sealed class MeasuringConstraintTests
{
    private static readonly TimeSpan s_generous = 5.Seconds();
    private static readonly TimeSpan s_impossible = 0.001.Milliseconds();

    private EmbeddedBroker _broker = null!;

    [OneTimeSetUp]
    public void StartBroker() => _broker = EmbeddedBroker.Start(new());

    [OneTimeTearDown]
    public async Task StopBroker() => await _broker.DisposeAsync();

    [Test]
    public async Task A_requirement_that_is_met_passes_and_its_report_is_attached()
    {
        await Assert.ThatAsync(
            () => Task.FromResult(Measurement()),
            Meets.Acknowledgement(below: s_generous, probability: .9)
        );
        Assert.That(
            Path.GetFileName(Attached().Single()),
            Is.EqualTo(TestContext.CurrentContext.Test.FullName + ".html")
        );
        Assert.That(File.ReadAllText(Attached()[0]), Does.Contain("every publication of a sequence is acknowledged"));
    }

    [Test]
    public void A_failure_is_the_message_of_the_requirement_with_a_command_that_repeats_this_test()
    {
        var result = Meets.Latency(below: s_impossible, probability: .9).ApplyTo(Measurement());
        Assert.That(result.IsSuccess, Is.False);
        var lines = Message.Of(result).Split(Environment.NewLine);
        Assert.That(
            lines[0],
            Is.EqualTo(
                "  Expected: every message of a sequence is answered in less than 0.001 ms "
                    + "with a probability of at least 0.9"
            )
        );
        Assert.That(lines[1], Does.StartWith("  But was:  a probability of 0.000 (95 % interval 0.000 to 0."));
        Assert.That(lines[2], Does.StartWith("  Seen:     0 of "));
        Assert.That(
            lines,
            Has.Some.EqualTo(
                "  Repeat:   dotnet test --filter "
                    + $"FullyQualifiedName~.{nameof(
                    A_failure_is_the_message_of_the_requirement_with_a_command_that_repeats_this_test)} "
                    + "--environment MQTTCHECK_SEED=1"
            )
        );
        Assert.That(Attached().Select(Path.GetExtension), Is.EqualTo(new[] { ".html", ".png" }));
        Assert.That(lines, Has.Some.EqualTo("  Report:   " + Attached()[0]));
    }

    [Test]
    public void Combined_requirements_look_at_the_same_runs_say_which_one_failed_and_have_a_report_each()
    {
        var measurement = Measurement();
        var both =
            Meets.Latency(below: s_generous, probability: .9)
            & Meets.Delivery(below: s_impossible, probability: .9).PerMessage();
        var result = both.ApplyTo(measurement);
        Assert.That(result.IsSuccess, Is.False);
        Assert.That(Message.Of(result), Does.Contain("publications in time, in 3 runs"));
        Assert.That(measurement.Runs, Has.Count.LessThan(8));
        Assert.That(Attached().Select(Path.GetFileName), Is.Unique);
        Assert.That(Attached().Select(Path.GetExtension), Is.EqualTo(new[] { ".html", ".html", ".png" }));
    }

    [Test]
    public void Without_a_verdict_the_test_fails_and_negation_does_not_help()
    {
        // Near the observed share and with no time for more than the smallest number of runs there is no verdict.
        var measurement = Measurement();
        for (var run = 0; run < 3; run++)
            measurement.Run(run, 1);
        var samples = measurement.Runs.SelectMany(run => run.Samples(MeasuredLatency.Any, false)).Order().ToArray();
        var undecided = TimeSpan.FromMilliseconds(samples[samples.Length / 2]);

        LatencyConstraint Constraint() =>
            Meets
                .Latency(below: undecided, probability: .525)
                .WithIndifference(.05)
                .WithRuns(3)
                .Within(0.001.Seconds());
        Assert.That(
            () => Constraint().ApplyTo(measurement),
            Throws
                .TypeOf<AssertionException>()
                .With.Message.Contains("withheld: the evidence is")
                .And.Message.StartsWith("  Expected: every message")
        );
        Assert.That(() => new NotConstraint(Constraint()).ApplyTo(measurement), Throws.TypeOf<AssertionException>());
        Assert.That(
            () => Constraint().InconclusiveWithoutVerdict().ApplyTo(measurement),
            Throws.TypeOf<InconclusiveException>()
        );
    }

    // NUnit counts a failed assertion against the test even where it is caught.
    [Test]
    public async Task A_failed_assertion_of_an_action_is_a_miss_and_no_failure_of_the_test()
    {
        var measurement = await Measure.Sequences(
            (client, _) =>
            {
                Assert.That(client.Number, Is.Not.EqualTo(3));
                Assert.Pass("what ends a test with success ends an action so");
                return Task.CompletedTask;
            }
        );
        measurement.IsValid = _ => true;
        Assert.That(Meets.Success(probability: .7).ApplyTo(measurement).IsSuccess, Is.True);
        Assert.That(measurement.Failures, Does.Contain("AssertionException").And.Not.Contain("SuccessException"));
        Assert.That(TestExecutionContext.CurrentContext.CurrentResult.AssertionResults, Is.Empty);
    }

    [Test]
    public void A_property_and_a_prediction_are_decided_too()
    {
        var measurement = Measurement();
        Assert.That(
            Message.Of(Meets.Property("P>=0.9[ G latency < 1us ]").ApplyTo(measurement)),
            Does.Contain("Expected: P>=0.9[ G latency < 0.001ms ]")
        );
        WrongValue.AssertRefused(
            ("there is no point for 30 clients", () => Meets.Prediction(Predicted()).ApplyTo(measurement)),
            ("", () => Meets.Prediction("missing.json"))
        );
    }

    [Test]
    public void What_a_constraint_is_given_reaches_its_requirement()
    {
        var latency = Meets.Latency(below: s_generous, probability: .9);
        var property = Meets.Property("P>=0.9[ G latency < 5s ]");
        var prediction = Meets.Prediction(Predicted());
        (string What, Func<IConstraint> With)[] wrong =
        [
            ("the error is 0", () => latency.WithError(0)),
            ("the error is 0", () => property.WithError(0)),
            ("the error is 0", () => prediction.WithError(0)),
            ("indifference", () => latency.WithIndifference(0)),
            ("indifference", () => property.WithIndifference(0)),
            ("indifference", () => prediction.WithIndifference(0)),
            ("runs", () => latency.WithRuns(2)),
            ("runs", () => property.WithRuns(2)),
            ("runs", () => prediction.WithRuns(2)),
            ("correlation", () => latency.WithCorrelationUpTo(.9)),
            ("correlation", () => property.WithCorrelationUpTo(.9)),
        ];
        foreach (var (what, with) in wrong)
            Assert.That(() => with(), Throws.TypeOf<InputException>().With.Message.Contains(what));

        Assert.That(
            () => Latency().WithGuarantee(Guarantee.Any).Within(1.Seconds()).ApplyTo(Measurement()),
            Throws.TypeOf<InputException>().With.Message.StartsWith("Within: 1s given cannot suffice")
        );
        Assert.That(
            () => Property().WithGuarantee(Guarantee.Any).Within(1.Seconds()).ApplyTo(Measurement()),
            Throws.TypeOf<InputException>().With.Message.StartsWith("Within: 1s given cannot suffice")
        );
        Assert.That(Latency().PerMessage().Description, Does.StartWith("a message is answered"));
        Assert.That(Latency().OfStep("ask").Description, Does.StartWith("every message 'ask' of a sequence"));
        Assert.That(
            Meets.Prediction(Predicted()).Within(1.Seconds()).Below(2.Seconds()).Description,
            Does.Contain("less than 2000 ms")
        );

        static LatencyConstraint Latency() => Meets.Latency(below: s_generous, probability: .95);
        static PropertyConstraint Property() => Meets.Property("P>=0.95[ G latency < 5s ]");
    }

    [Test]
    public void What_is_no_measurement_is_named() =>
        Assert.That(
            () => Meets.Latency(below: s_generous, probability: .9).ApplyTo("text"),
            Throws.ArgumentException.With.Message.Contains("a Measurement")
        );

    private static string[] Attached() =>
        [
            .. TestExecutionContext.CurrentContext.CurrentResult.TestAttachments.Select(attachment =>
                attachment.FilePath
            ),
        ];

    private FleetMeasurement Measurement() =>
        new(_broker, Population.Of(QuickProfile.Create()), 30, new(), CancellationToken.None) { IsValid = _ => true };

    private static Prediction Predicted() =>
        new()
        {
            Model = new("model.json", new string('0', 64), "binned-quantiles", "embedded"),
            Options = new(),
            Populations = [],
            Setups = [],
            Points = [new("other", 30, 5000, .9, new(.89, .91))],
        };
}
