using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Processes;
using MqttCheck.Clients;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Requirements;
using MqttCheck.Sequential.Runs;

namespace MqttCheck.Testing.Tests.Requirements;

/// <summary>
/// The requirement on a live embedded broker. Thresholds lie far off on both sides and all runs count, so that the
/// speed of the machine does not matter.
/// </summary>
[TestFixture, NonParallelizable]
public sealed class LatencyRequirementTests
{
    private static readonly TimeSpan s_generous = 5.Seconds();
    private static readonly TimeSpan s_impossible = 0.001.Milliseconds();

    private EmbeddedBroker _broker = null!;

    [OneTimeSetUp]
    public void StartBroker() =>
        _broker = EmbeddedBroker.Start(new() { Delays = DelayPlan.Parse("constant:1ms", "test") });

    [OneTimeTearDown]
    public async Task StopBroker() => await _broker.DisposeAsync();

    [Test]
    public void A_requirement_that_is_met_says_so_in_its_message_and_in_its_report()
    {
        using var recording = new RecordingHost();
        var required =
            "every publication of a sequence is acknowledged in less than 5000 ms "
            + "with a probability of at least 0.9";
        var decision = Requirement
            .Acknowledgement(below: s_generous, probability: .9)
            .Decide(Measure(), recording.Host);
        Assert.That((decision.IsMet, decision.Requirement), Is.EqualTo((true, required)));
        Assert.That(decision.ThrowIfNotMet, Throws.Nothing);
        Assert.That(
            Path.GetFileName(recording.Attached.Single()),
            Is.EqualTo("Plant.GatewayTests--embedded--.Readings_are_answered.html")
        );
        Assert.That(File.ReadAllText(recording.Attached[0]), Does.Contain("Met").And.Contain(required));
    }

    [Test]
    [Category("Whole")]
    public void A_failure_says_what_was_asked_and_seen_how_sure_how_many_samples_and_how_to_repeat_it()
    {
        using var recording = new RecordingHost();
        var decision = Requirement
            .Latency(below: s_impossible, probability: .9)
            .Decide(Measure(new() { Seed = 7 }), recording.Host);
        Assert.That((decision.IsMet, decision.Verdict), Is.EqualTo((false, RequirementVerdict.Violated)));
        var message = Assert.Throws<RequirementException>(decision.ThrowIfNotMet)!.Message;
        Assert.That(message, Is.EqualTo(decision.Message));
        Assert.That(
            message,
            Does.StartWith(
                "Expected: every message of a sequence is answered in less than 0.001 ms "
                    + "with a probability of at least 0.9\n"
            )
        );
        Assert.That(message, Does.Match(@"But was:  a probability of 0\.000 \(95 % interval 0\.000 to 0\.\d+\)"));
        Assert.That(
            message,
            Does.Match(@"Seen:     0 of \d+ sequences in time, in 3 runs; 30 clients of profile quick on embedded")
        );
        Assert.That(message, Does.Match(@"Sure:     the evidence is \d+\.\d standard errors, \d+\.\d are needed"));
        Assert.That(
            message,
            Does.Contain(
                "although it is 0.9 or more, with a probability of at most 0.01, if runs are independent of each "
                    + "other and vary around one level like a beta law, with a correlation of at most .4 inside a run"
            )
        );
        // 1 - .01^(1/3) = .785.
        Assert.That(
            message,
            Does.Contain(
                "Not excluded after 3 runs: another state of the broker, in up to 78 % of the runs, "
                    + "that none of these showed."
            )
        );
        Assert.That(message, Does.Match(@"Broker:   embedded .* delay constant:1ms.* at 127\.0\.0\.1:\d+"));
        Assert.That(
            message,
            Does.Contain(
                "dotnet test --filter FullyQualifiedName~.Readings_are_answered --environment MQTTCHECK_SEED=7"
            )
        );
        Assert.That(message, Does.Match(@"Report:   .*\.html"));
    }

    [Test]
    public void A_refuted_requirement_attaches_a_picture_of_its_latencies()
    {
        using var recording = new RecordingHost();
        var requirement = Requirement.Latency(below: s_impossible, probability: .9);
        Assert.That(requirement.Decide(Measure(), recording.Host).IsMet, Is.False);
        Assert.That(recording.Attached.Select(Path.GetExtension), Is.EqualTo(new[] { ".html", ".png" }));
        var png = File.ReadAllBytes(recording.Attached[1]);
        Assert.That(png.AsSpan(1, 3).ToArray(), Is.EqualTo("PNG"u8.ToArray()));
        Assert.That(
            System.Buffers.Binary.BinaryPrimitives.ReadInt32BigEndian(png.AsSpan(16)),
            Is.EqualTo(1600),
            "pixels across"
        );
    }

    [Test]
    [Category("Whole")]
    public void Without_an_assumption_more_runs_are_made_and_the_message_says_what_that_is_worth()
    {
        var measurement = Measure();
        var result = Requirement
            .Latency(below: s_impossible, probability: .5)
            .WithIndifference(.4)
            .WithGuarantee(Guarantee.Any)
            .Decide(measurement);
        Assert.That(result.IsMet, Is.False);
        var message = result.Message;
        Assert.That(
            message,
            Does.Match(@"Sure:     bets on the runs won \d+(\.\d)? times their stake, 100 are needed")
        );
        Assert.That(
            message,
            Does.Contain(
                "with a probability of at most 0.01, whatever law all runs follow, "
                    + "those that do not count taken at their worst, if they are independent of each other"
            )
        );
        Assert.That(message, Does.Contain("Not covered: a broker whose state carries over from one run to the next."));
        // ln(100 / .6) / ln(1.99) = 7.4.
        Assert.That(measurement.Runs, Has.Count.EqualTo(8));
    }

    [Test]
    public void A_time_that_cannot_suffice_without_an_assumption_is_refused_with_the_number_that_would()
    {
        var requirement = Requirement
            .Latency(below: s_generous, probability: .95)
            .WithGuarantee(Guarantee.Any)
            .Within(1.Seconds());
        var measurement = Measure();
        Assert.That(
            () => requirement.Decide(measurement),
            Throws
                .TypeOf<InputException>()
                .With.Message.Match(
                    @"Within: 1s given cannot suffice: 4\d runs, about \d+ s, are needed "
                        + @"if the broker is always in time, \d+ runs, about \d+ s.*allowed: Within \d+[sm] or more"
                )
        );
        Assert.That(measurement.Runs, Is.Empty);
    }

    [Test]
    public void A_second_requirement_looks_at_the_same_runs_and_has_a_report_of_its_own()
    {
        using var recording = new RecordingHost();
        var measurement = Measure();
        Assert.That(Requirement.Latency(s_generous, .9).Decide(measurement, recording.Host).IsMet, Is.True);
        var made = measurement.Runs.Count;
        var second = Requirement.Delivery(s_impossible, .9).PerMessage().Decide(measurement, recording.Host);
        Assert.That(second.IsMet, Is.False);
        Assert.That(second.Message, Does.Contain("publications in time, in 3 runs"));
        Assert.That(measurement.Runs, Has.Count.EqualTo(made));
        Assert.That(
            recording.Attached.Select(path => Path.GetFileName(path).Split("answered")[1]),
            Is.EqualTo(new[] { ".html", ".2.html", ".2.png" })
        );
    }

    [Test]
    public void A_withheld_verdict_is_neither_met_nor_violated()
    {
        // Near the observed share and with no time for more than the smallest number of runs there is no verdict.
        var measurement = Measure();
        for (var run = 0; run < 3; run++)
            measurement.Run(run, 1);
        var samples = measurement.Runs.SelectMany(run => run.Samples(MeasuredLatency.Any, false)).Order().ToArray();
        var undecided = TimeSpan.FromMilliseconds(samples[samples.Length / 2]);
        var decision = Requirement
            .Latency(below: undecided, probability: .525)
            .WithIndifference(.05)
            .WithRuns(3)
            .Within(0.001.Seconds())
            .Decide(measurement);
        Assert.That((decision.Verdict, decision.IsMet), Is.EqualTo((RequirementVerdict.Withheld, false)));
        var exception = Assert.Throws<RequirementException>(decision.ThrowIfNotMet)!;
        Assert.That(exception.Decision, Is.SameAs(decision));
        Assert.That(exception.Message, Does.Contain("withheld: the evidence is"));
    }

    [Test]
    [Category("Whole")]
    public void Where_most_runs_are_spoilt_by_the_generator_the_verdict_is_withheld([Values] bool isMet)
    {
        var measurement = new FleetMeasurement(
            _broker,
            Population.Of(QuickProfile.Create()),
            30,
            new(),
            CancellationToken.None
        )
        {
            IsValid = _ => false,
        };
        var decision = Requirement
            .Latency(below: isMet ? s_generous : s_impossible, probability: .9)
            .Decide(measurement);
        Assert.That(decision.Verdict, Is.EqualTo(RequirementVerdict.Withheld));
        Assert.That(decision.Message, Does.Match(@"withheld: (\d+) of \1 runs are invalid"));
    }

    [Test]
    [Category("Whole")]
    public void A_run_that_the_generator_spoilt_is_made_again_and_mentioned()
    {
        var judged = 0;
        var measurement = new FleetMeasurement(
            _broker,
            Population.Of(QuickProfile.Create()),
            30,
            new(),
            CancellationToken.None
        )
        {
            IsValid = _ => ++judged != 2,
        };
        var result = Requirement.Latency(below: s_impossible, probability: .9).Decide(measurement);
        Assert.That(result.IsMet, Is.False);
        Assert.That(measurement.Runs, Has.Count.EqualTo(4));
        Assert.That(result.Message, Does.Contain("in 3 runs; ").And.Contain("Invalid:  1 of 4 runs does not count"));
    }

    [Test]
    public void Clients_speak_the_version_that_is_asked_for()
    {
        var measurement = Measure(new() { ProtocolVersion = ProtocolVersion.V5 });
        Assert.That(Requirement.Latency(below: s_generous, probability: .9).Decide(measurement).IsMet, Is.True);
    }

    [Test]
    public void A_cancelled_measurement_ends_the_test()
    {
        using var cancelled = new CancellationTokenSource();
        cancelled.Cancel();
        var measurement = new FleetMeasurement(
            _broker,
            Population.Of(QuickProfile.Create()),
            30,
            new(),
            cancelled.Token
        );
        Assert.That(
            () => Requirement.Latency(below: s_generous, probability: .9).Decide(measurement),
            Throws.InstanceOf<OperationCanceledException>()
        );
    }

    [Test]
    public void The_token_of_the_test_ends_a_measurement_that_has_none()
    {
        using var cancelled = new CancellationTokenSource();
        cancelled.Cancel();
        using var recording = new RecordingHost(cancelled.Token);
        Assert.That(
            () => Requirement.Latency(below: s_generous, probability: .9).Decide(Measure(), recording.Host),
            Throws.InstanceOf<OperationCanceledException>()
        );
    }

    [Test]
    public void A_broker_that_is_gone_ends_the_test_with_the_reason()
    {
        var broker = EmbeddedBroker.Start(new());
        var measurement = new FleetMeasurement(
            broker,
            Population.Of(QuickProfile.Create()),
            3,
            new(),
            CancellationToken.None
        );
        broker.StopAsync().GetAwaiter().GetResult();
        Assert.That(
            () => Requirement.Latency(below: s_generous, probability: .9).Decide(measurement),
            Throws.TypeOf<BrokerException>()
        );
    }

    [Test]
    public void The_same_seed_makes_the_clients_choose_the_same()
    {
        static IEnumerable<string> Choices(Measurement measurement) =>
            ((FleetMeasuredRun)measurement.Run(0, 1))
                .Exchanges.Where(exchange => exchange.Phase == ExchangePhase.Counted)
                .OrderBy(exchange => exchange.Client)
                .ThenBy(exchange => exchange.IssueIndex)
                .Select(exchange => $"{exchange.Client} {exchange.Message} {exchange.Topic} {exchange.MessageSize}");
        var (once, again) = (Measure(new() { Seed = 3 }), Measure(new() { Seed = 3 }));
        Assert.That(Choices(once), Is.EqualTo(Choices(again)));
    }

    [Test]
    [Category("Whole")]
    public void Wrong_values_are_named()
    {
        var latency = Requirement.Latency(below: s_generous, probability: .9);
        var withoutAcknowledgement = new FleetMeasurement(
            _broker,
            Population.Of(QuickProfile.Create(QualityOfService.AtMostOnce)),
            3,
            new(),
            CancellationToken.None
        );
        WrongValue.AssertRefused(
            ("the required probability is 1", () => Requirement.Latency(below: s_generous, probability: 1)),
            ("", () => Requirement.Latency(below: TimeSpan.Zero, probability: .9)),
            ("", () => latency.WithRuns(2)),
            ("", () => _broker.Measure(QuickProfile.Create(), clients: 0)),
            ("nosuch", () => _broker.Measure("nosuch", clients: 1)),
            (
                "QoS 0",
                () => Requirement.Acknowledgement(below: s_generous, probability: .9).Decide(withoutAcknowledgement)
            )
        );
        Assert.That(() => latency.Decide(null!), Throws.ArgumentNullException);
    }

    private FleetMeasurement Measure(MeasureOptions? options = null) =>
        new(_broker, Population.Of(QuickProfile.Create()), 30, options ?? new(), CancellationToken.None)
        {
            IsValid = _ => true,
        };
}
