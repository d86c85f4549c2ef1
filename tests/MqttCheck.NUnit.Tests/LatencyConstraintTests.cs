using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Processes;
using MqttCheck.Clients;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Sequential.Runs;
using NUnit.Framework.Constraints;
using NUnit.Framework.Internal;

namespace MqttCheck.NUnit.Tests;

/// <summary>The requirement on a live embedded broker. Thresholds lie far off on both sides and all runs count, so that the speed of the machine does not matter.</summary>
[TestFixture, NonParallelizable]
public sealed class LatencyConstraintTests
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
    public async Task A_requirement_that_is_met_passes_and_its_report_is_attached()
    {
        await Assert.ThatAsync(
            () => Task.FromResult(Measure()),
            Meets.Acknowledgement(below: s_generous, probability: .9)
        );
        var attachment = TestExecutionContext.CurrentContext.CurrentResult.TestAttachments.Single();
        Assert.That(
            File.ReadAllText(attachment.FilePath),
            Does.Contain("Met")
                .And.Contain(
                    "every publication of a sequence is acknowledged in less than 5000 ms with a probability of at least 0.9"
                )
        );
    }

    [Test]
    [Category("Whole")]
    public void A_failure_says_what_was_asked_and_seen_how_sure_how_many_samples_and_how_to_repeat_it()
    {
        var result = Meets.Latency(below: s_impossible, probability: .9).ApplyTo(Measure(new() { Seed = 7 }));
        Assert.That(result.IsSuccess, Is.False);
        var message = MessageOf(result);
        Assert.That(
            message,
            Does.Match(
                @"Expected: every message of a sequence is answered in less than 0\.001 ms with a probability of at least 0\.9"
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
                "although it is 0.9 or more, with a probability of at most 0.01, if runs are independent of each other and vary around one level (a beta law; two sequences of a run correlated by 0.4 or less)"
            )
        );
        // 1 - .01^(1/3) = .785.
        Assert.That(
            message,
            Does.Contain(
                "Not excluded after 3 runs: another state of the broker, in up to 78 % of the runs, that none of these showed."
            )
        );
        Assert.That(message, Does.Match(@"Broker:   embedded .* delay constant:1ms.* at 127\.0\.0\.1:\d+"));
        Assert.That(message, Does.Contain("--environment MQTTCHECK_SEED=7"));
        Assert.That(message, Does.Match(@"Report:   .*\.html"));
    }

    [Test]
    public void A_refuted_requirement_attaches_a_picture_of_its_latencies()
    {
        Assert.That(Meets.Latency(below: s_impossible, probability: .9).ApplyTo(Measure()).IsSuccess, Is.False);
        var attached = TestExecutionContext
            .CurrentContext.CurrentResult.TestAttachments.Select(attachment => attachment.FilePath)
            .ToArray();
        Assert.That(attached.Select(Path.GetExtension), Is.EqualTo(new[] { ".html", ".png" }));
        var png = File.ReadAllBytes(attached[1]);
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
        var result = Meets
            .Latency(below: s_impossible, probability: .5)
            .WithIndifference(.4)
            .WithGuarantee(Guarantee.Any)
            .ApplyTo(measurement);
        Assert.That(result.IsSuccess, Is.False);
        var message = MessageOf(result);
        Assert.That(
            message,
            Does.Match(@"Sure:     bets on the runs won \d+(\.\d)? times their stake, 100 are needed")
        );
        Assert.That(
            message,
            Does.Contain(
                "with a probability of at most 0.01, whatever the law of the runs, if they are independent of each other"
            )
        );
        Assert.That(message, Does.Contain("Not covered: a broker whose state carries over from one run to the next."));
        // ln(100 / .6) / ln(1.99) = 7.4.
        Assert.That(measurement.Runs, Has.Count.EqualTo(8));
    }

    [Test]
    public void A_time_that_cannot_suffice_without_an_assumption_is_refused_with_the_number_that_would()
    {
        var constraint = Meets
            .Latency(below: s_generous, probability: .95)
            .WithGuarantee(Guarantee.Any)
            .Within(1.Seconds());
        var measurement = Measure();
        Assert.That(
            () => constraint.ApplyTo(measurement),
            Throws
                .TypeOf<InputException>()
                .With.Message.Match(
                    @"Within\(1 s\) is too short for Guarantee.Any: 4\d runs, about \d+ s, are needed if the broker is always in time, \d+ runs, about \d+ s"
                )
        );
        Assert.That(measurement.Runs, Is.Empty);
    }

    [Test]
    public void Combined_requirements_look_at_the_same_runs_and_say_which_one_failed()
    {
        var measurement = Measure();
        var both =
            Meets.Latency(below: s_generous, probability: .9)
            & Meets.Delivery(below: s_impossible, probability: .9).PerMessage();
        var result = both.ApplyTo(measurement);
        Assert.That(result.IsSuccess, Is.False);
        Assert.That(MessageOf(result), Does.Contain("publications in time, in 3 runs"));
        Assert.That(measurement.Runs, Has.Count.LessThan(8));
    }

    [Test]
    public void Without_a_verdict_the_test_fails_and_negation_does_not_help()
    {
        // Near the observed share and with no time for more than the smallest number of runs there is no verdict.
        var measurement = Measure();
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
            Throws.TypeOf<AssertionException>().With.Message.Contains("withheld: the evidence is")
        );
        Assert.That(() => new NotConstraint(Constraint()).ApplyTo(measurement), Throws.TypeOf<AssertionException>());
        Assert.That(
            () => Constraint().InconclusiveWithoutVerdict().ApplyTo(measurement),
            Throws.TypeOf<InconclusiveException>()
        );
    }

    [Test]
    [Category("Whole")]
    public void Where_most_runs_are_spoilt_by_the_generator_there_is_no_verdict([Values] bool isMet)
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
        var constraint = Meets.Latency(below: isMet ? s_generous : s_impossible, probability: .9);
        Assert.That(
            () => constraint.ApplyTo(measurement),
            Throws.TypeOf<AssertionException>().With.Message.Match(@"withheld: (\d+) of \1 runs are invalid")
        );
        Assert.That(
            () => constraint.InconclusiveWithoutVerdict().ApplyTo(measurement),
            Throws.TypeOf<InconclusiveException>()
        );
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
        var result = Meets.Latency(below: s_impossible, probability: .9).ApplyTo(measurement);
        Assert.That(result.IsSuccess, Is.False);
        Assert.That(measurement.Runs, Has.Count.EqualTo(4));
        Assert.That(MessageOf(result), Does.Contain("in 3 runs; ").And.Contain("Invalid:  1 of 4 runs, repeated"));
    }

    [Test]
    public void Clients_speak_the_version_that_is_asked_for()
    {
        var measurement = Measure(new() { ProtocolVersion = ProtocolVersion.V5 });
        Assert.That(Meets.Latency(below: s_generous, probability: .9).ApplyTo(measurement).IsSuccess, Is.True);
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
            () => Meets.Latency(below: s_generous, probability: .9).ApplyTo(measurement),
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
            () => Meets.Latency(below: s_generous, probability: .9).ApplyTo(measurement),
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
        Assert.That(
            () => Meets.Latency(below: s_generous, probability: 1),
            Throws.TypeOf<InputException>().With.Message.Contains("the required probability is 1")
        );
        Assert.That(() => Meets.Latency(below: TimeSpan.Zero, probability: .9), Throws.TypeOf<InputException>());
        Assert.That(
            () => Meets.Latency(below: s_generous, probability: .9).WithRuns(2),
            Throws.TypeOf<InputException>()
        );
        Assert.That(() => _broker.Measure(QuickProfile.Create(), clients: 0), Throws.TypeOf<InputException>());
        Assert.That(() => _broker.Measure("nosuch", clients: 1), Throws.TypeOf<InputException>());
        Assert.That(
            () => Meets.Latency(below: s_generous, probability: .9).ApplyTo("text"),
            Throws.ArgumentException.With.Message.Contains("a Measurement")
        );
        var withoutAcknowledgement = new FleetMeasurement(
            _broker,
            Population.Of(QuickProfile.Create(QualityOfService.AtMostOnce)),
            3,
            new(),
            CancellationToken.None
        );
        Assert.That(
            () => Meets.Acknowledgement(below: s_generous, probability: .9).ApplyTo(withoutAcknowledgement),
            Throws.TypeOf<InputException>().With.Message.Contains("QoS 0")
        );
    }

    private FleetMeasurement Measure(MeasureOptions? options = null) =>
        new(_broker, Population.Of(QuickProfile.Create()), 30, options ?? new(), CancellationToken.None)
        {
            IsValid = _ => true,
        };

    private static string MessageOf(ConstraintResult result)
    {
        using var writer = new TextMessageWriter();
        result.WriteMessageTo(writer);
        return writer.ToString();
    }
}
