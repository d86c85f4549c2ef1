using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Profiles;
using MqttCheck.Properties.Traces;
using MqttCheck.Protocol;
using MqttCheck.Requirements;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Testing.Tests.Requirements;

/// <summary>
/// Properties on a live embedded broker. Bounds lie far off on both sides and all runs count, so that the speed of the
/// machine does not matter.
/// </summary>
[TestFixture, NonParallelizable]
internal sealed class PropertyRequirementTests
{
    private EmbeddedBroker _broker = null!;

    [OneTimeSetUp]
    public void StartBroker() =>
        _broker = EmbeddedBroker.Start(new() { Delays = DelayPlan.Parse("constant:1ms", "test") });

    [OneTimeTearDown]
    public async Task StopBroker() => await _broker.DisposeAsync();

    [TestCase("P>=0.9[ G latency < 5s ]", true)]
    [TestCase("P>=0.9[ G latency(publish) < 1us ]", false)]
    [TestCase("P<=0.1[ F latency > 5s ]", true)]
    [TestCase("Q0.9[ max latency ] < 1us", false)]
    [TestCase("Q0.9[ max latency ] < 5s", true)]
    [TestCase(
        "P>=0.9[ F<=15msg count >= 15 ]",
        true,
        TestName = "A_trace_is_as_many_sequences_long_as_the_formula_looks_at"
    )]
    [Category("Whole")]
    public void Any_property_is_met_or_violated(string property, bool holds) =>
        Assert.That(Requirement.Property(property).Decide(Measure()).IsMet, Is.EqualTo(holds));

    [Test]
    public void A_failure_says_what_was_asked_and_seen_what_is_promised_and_how_to_repeat_it()
    {
        using var recording = new RecordingHost();
        var result = Requirement
            .Property("P>=0.9[ G latency(unsubscribe) < 1us ]")
            .Decide(Measure(new() { Seed = 7 }), recording.Host);
        var message = result.Message;
        Assert.That(message, Does.Match(@"Expected: P>=0\.9\[ G latency\(unsubscribe\) < 0\.001ms \]"));
        Assert.That(
            message,
            Does.Match(
                @"Seen:     0 of \d+ traces fulfil 'G latency\(unsubscribe\) < 0\.001ms' "
                    + @"\(0\.000, 95 % interval 0\.000 to 0\.\d+\) in 3 runs; about \d+ of all \d+ "
                    + @"\(\d+\.\d%\) it says nothing, they are left out; 30 clients"
            )
        );
        Assert.That(message, Does.Match(@"Sure:     a probability of 0\.9 or more is rejected"));
        Assert.That(message, Does.Contain("with a correlation of at most .4 inside a run"));
        Assert.That(message, Does.Contain("Not excluded after 3 runs: another state of the broker"));
        Assert.That(
            message,
            Does.Contain("--environment MQTTCHECK_SEED=7").And.Not.Contain("Latency:").And.Not.Contain("in time")
        );
        Assert.That(File.ReadAllText(recording.Attached.Single()), Does.Contain("Probability to fulfil the property"));
    }

    [TestCase("P>=0.9[ G latency(subscribe) < 5s ]", true)]
    [TestCase("P>=0.9[ G latency(subscribe) < 1us ]", false)]
    public void A_result_says_which_groups_it_is_about(string property, bool holds)
    {
        using var recording = new RecordingHost();
        var quick = QuickProfile.Create();
        var plant = new Population
        {
            Name = "plant",
            Groups =
            [
                new("sensors", 9, quick with { Weights = new(1, 0, 1, 0, 0) }),
                new("dashboards", 1, quick with { Weights = new(1, 0, 0, 1, 0) }),
            ],
        };
        var measurement = new FleetMeasurement(_broker, plant, 30, new(), CancellationToken.None)
        {
            IsValid = _ => true,
        };
        var result = Requirement.Property(property).Decide(measurement, recording.Host);
        const string Whom = @"judged on (\d+) of \d+ traces \(10\.0%; sensors none of \d+, dashboards all \1\)";
        Assert.That(result.IsMet, Is.EqualTo(holds));
        Assert.That(result.Actual, Does.Match($"^a probability of .*, {Whom}$"));
        Assert.That(recording.Progress, Has.Some.Match($"^MqttCheck: .*: {Whom}\\.$"));
        if (!holds)
            Assert.That(File.ReadAllText(recording.Attached.Single()), Does.Match($">Violated, {Whom}<"));
    }

    [Test]
    public void The_same_runs_serve_a_property_and_a_requirement_that_ask_the_same()
    {
        var measurement = Measure();
        Assert.That(Requirement.Latency(below: 5.Seconds(), probability: .9).Decide(measurement).IsMet, Is.True);
        var runs = measurement.Runs.Count;
        Assert.That(Requirement.Property("P>=0.9[ G latency < 5s ]").Decide(measurement).IsMet, Is.True);
        Assert.That(measurement.Runs, Has.Count.EqualTo(runs));
    }

    // Clients of this profile may subscribe, which is why it is not refused, but one in ten million messages is a
    // subscription.
    [Test]
    [Category("Whole")]
    public void What_says_nothing_about_any_trace_is_withheld()
    {
        var onlyPublications = new UsageProfile
        {
            Name = "publisher",
            WaitMilliseconds = new UniformLaw(0, 10),
            Weights = new(1, 1, 6, 1e-9, 0),
            Qos = QualityOfService.AtLeastOnce,
        };
        var measurement = new FleetMeasurement(
            _broker,
            Population.Of(onlyPublications),
            10,
            new(),
            CancellationToken.None
        )
        {
            IsValid = _ => true,
        };
        var decision = Requirement.Property("P>=0.9[ G latency(subscribe) < 5s ]").Decide(measurement);
        Assert.That(decision.Verdict, Is.EqualTo(RequirementVerdict.Withheld));
        Assert.That(decision.Actual, Is.EqualTo("a property that says nothing about any trace"));
        Assert.That(
            decision.Message,
            Does.Match(
                @"withheld: the property says nothing about any of the \d+ traces: "
                    + "none has a message that it asks about"
            )
        );
    }

    [Test]
    public async Task Actions_have_no_messages_that_a_property_could_ask_about()
    {
        var actions = await Testing.Measure.Sequences((_, _) => Task.CompletedTask, clients: 2);
        Assert.That(
            () => Requirement.Property("P>=0.9[ G latency < 5s ]").Decide(actions),
            Throws.TypeOf<InputException>().With.Message.Contains("allowed: Broker.Measure(...)")
        );
    }

    [Test]
    [Category("Whole")]
    public void Wrong_values_are_named() =>
        WrongValue.AssertRefused(
            ("column", () => Requirement.Property("P>=0.9[ G latency << 5s ]")),
            ("asks for a value", () => Requirement.Property("P[ G latency < 5s ]")),
            ("allowed: a quantile", () => Requirement.Property("E[ max latency ] < 5s")),
            ("", () => Requirement.Property("P>=1[ G latency < 5s ]")),
            ("the error is 0", () => Requirement.Property("P>=0.9[ G latency < 5s ]").WithError(0)),
            (
                "allowed: 'G latency(publish) < 5000ms'",
                () => Requirement.Property("P>=0.9[ latency(publish) < 5s ]").Decide(Measure())
            ),
            (
                "takes 2 sequences of a client, and a run has 1",
                () =>
                    Requirement
                        .Property("P>=0.9[ F<=15msg count >= 15 ]")
                        .Decide(Measure(new() { SequencesPerClient = 1 }))
            ),
            (
                "Within: 1s given cannot suffice",
                () =>
                    Requirement
                        .Property(TraceProperty.Parse("P>=0.95[ G latency < 5s ]"))
                        .WithGuarantee(Guarantee.Any)
                        .Within(1.Seconds())
                        .Decide(Measure())
            )
        );

    private FleetMeasurement Measure(MeasureOptions? options = null) =>
        new(_broker, Population.Of(QuickProfile.Create()), 30, options ?? new(), CancellationToken.None)
        {
            IsValid = _ => true,
        };
}
