using MqttCheck.Broker.Core;
using MqttCheck.Broker.Faults;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Rights;
using MqttCheck.Learning.Data;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Tests.Rights;

[TestFixture]
internal sealed class RightsProbeTests
{
    private const string Everything = "allow * both #";

    private static readonly ProtocolVersion[] s_versions = [ProtocolVersion.V311, ProtocolVersion.V5];

    [TestCaseSource(nameof(s_versions))]
    public async Task A_broker_that_allows_everything_is_accepted(ProtocolVersion version)
    {
        await using var broker = Start(Everything);
        Assert.That(Denial(broker, Setup(broker, version, qos: 2, retain: true)), Is.Null);
    }

    [TestCase(ProtocolVersion.V311, "SUBACK 128")]
    [TestCase(ProtocolVersion.V5, "SUBACK 135 (NotAuthorized)")]
    public async Task A_denied_subscription_is_told_with_its_code(ProtocolVersion version, string told)
    {
        await using var broker = Start("allow * publish #");
        Assert.That(
            Denial(broker, Setup(broker, version)),
            Does.Contain(told).And.Contain("'mqttcheck/0badcafe/0' at QoS 1").And.Contain("--topic-prefix")
        );
    }

    [TestCase(ProtocolVersion.V311, "acknowledges a publication", Category = "Whole")]
    [TestCase(ProtocolVersion.V5, "PUBACK 135 (NotAuthorized)")]
    public async Task A_denied_publication_is_told_even_where_the_broker_acknowledges_it(
        ProtocolVersion version,
        string told
    )
    {
        await using var broker = Start("allow * subscribe #");
        Assert.That(Denial(broker, Setup(broker, version)), Does.Contain(told));
    }

    [Test]
    public async Task The_last_topic_is_tried_too()
    {
        await using var broker = Start("deny * publish mqttcheck/0badcafe/2\n" + Everything);
        Assert.That(
            Denial(broker, Setup(broker, ProtocolVersion.V5)),
            Does.Contain("'mqttcheck/0badcafe/2'").And.Not.Contain("'mqttcheck/0badcafe/0'")
        );
    }

    [TestCase(ProtocolVersion.V311, "grants QoS 1")]
    [TestCase(ProtocolVersion.V5, "Maximum QoS 1")]
    public async Task A_limit_of_the_quality_of_service_is_told(ProtocolVersion version, string told)
    {
        await using var broker = Start(Everything, new() { MaximumQos = QualityOfService.AtLeastOnce });
        Assert.That(Denial(broker, Setup(broker, version, qos: 2)), Does.Contain(told).And.Contain("max_qos"));
        Assert.That(Denial(broker, Setup(broker, version, qos: 1)), Is.Null);
    }

    [Test]
    [Category("Whole")]
    public async Task A_message_that_the_broker_does_not_keep_is_told_only_where_messages_are_to_be_kept()
    {
        await using var broker = EmbeddedBroker.Start(
            new() { Broker = new() { Faults = FaultPlan.Parse("forget-retained:1", "faults") } }
        );
        Assert.That(
            Denial(broker, Setup(broker, ProtocolVersion.V311, retain: true)),
            Does.Contain("published with RETAIN")
        );
        Assert.That(Denial(broker, Setup(broker, ProtocolVersion.V311)), Is.Null);
    }

    [Test]
    public async Task A_prefix_and_the_topics_of_a_profile_are_used_as_written()
    {
        await using var broker = Start("allow * both plant/#");
        var below = PrefixedBroker.Of(broker, "plant/");
        Assert.That(Denial(below, Setup(below, ProtocolVersion.V5)), Is.Null);
        Assert.That(Denial(broker, Setup(broker, ProtocolVersion.V5, topicName: "plant/{topic}/state")), Is.Null);
        Assert.That(
            Denial(broker, Setup(broker, ProtocolVersion.V5, topicName: "line/{topic}/state")),
            Does.Contain("'line/0/state'").And.Contain("topic readwrite line/#").And.Contain("those that were written")
        );
    }

    // All 10 copies of a message are lost with a probability of .3^10. Some 15 packets all arrive with .74,
    // so four connections end early with .005. The seed of the broker is fixed.
    [Test]
    public async Task A_broker_that_fails_now_and_then_denies_nothing()
    {
        await using var broker = EmbeddedBroker.Start(
            new()
            {
                Broker = new() { Faults = FaultPlan.Parse("lose:0.3,disconnect:0.02", "faults"), Seed = 7 },
            }
        );
        Assert.That(Denial(broker, Setup(broker, ProtocolVersion.V311, qos: 2)), Is.Null);
    }

    [Test]
    public async Task A_campaign_makes_no_run_on_a_broker_that_denies_its_topics()
    {
        await using var broker = Start("allow * publish #");
        var runs = new CountedRuns();
        var exploration = new Exploration(broker, Options(runs), TimeProvider.System);
        var cases = TrainingDesign.Doe2(1, TimeSpan.FromSeconds(1), 2, [Population.Of(Profile())]);
        Assert.That(
            () => exploration.Run(cases, new NoLog(), null, default, default),
            Throws.TypeOf<BrokerException>().With.Message.Contains("No load was sent")
        );
        Assert.That(runs.Made, Is.Zero);
    }

    [Test]
    public async Task A_right_that_was_withdrawn_meanwhile_is_not_said_to_have_stopped_the_load()
    {
        await using var broker = Start("allow * publish #");
        var setup = Setup(broker, ProtocolVersion.V311, qos: 1);
        Assert.That(
            () => RightsProbe.Require(setup, CancellationToken.None, isAfterLoad: true),
            Throws
                .TypeOf<BrokerException>()
                .With.Message.Contains("It was asked after the runs, which count for nothing.")
                .And.Message.Not.Contains("No load was sent")
        );
    }

    private static string? Denial(IBrokerUnderTest broker, FleetSetup setup)
    {
        var used = UsedTopics.Of(setup);
        return RightsProbe.Find(used, CancellationToken.None)?.Describe(used);
    }

    private static EmbeddedBroker Start(string rules, BrokerLimits? limits = null) =>
        EmbeddedBroker.Start(
            new()
            {
                Broker = new()
                {
                    Access = BrokerAccess.Parse("anonymous yes\n" + rules, "rules"),
                    Limits = limits ?? new(),
                },
            }
        );

    private static UsageProfile Profile(int qos = 1, bool retain = false, string topicName = "{topic}") =>
        new()
        {
            Name = "probed",
            WaitMilliseconds = new MqttCheck.Statistics.Laws.ConstantLaw(1),
            Weights = new(Connect: 1, Disconnect: 0, Publish: 1, Subscribe: 0, Unsubscribe: 0),
            Topics = 3,
            Qos = (QualityOfService)qos,
            Retain = retain,
            TopicName = topicName,
        };

    private static FleetSetup Setup(
        IBrokerUnderTest broker,
        ProtocolVersion version,
        int qos = 1,
        bool retain = false,
        string topicName = "{topic}"
    ) =>
        FleetSetup.For(broker, Population.Of(Profile(qos, retain, topicName)), 2, "mqttcheck/0badcafe/") with
        {
            CountedSequences = 1,
            ProtocolVersion = version,
        };

    private static CampaignOptions Options(IFleetRunner fleets) =>
        new()
        {
            Seed = 1,
            Prefix = FleetSetup.NewPrefix(),
            Fleets = fleets,
        };

    private sealed class CountedRuns : IFleetRunner
    {
        public int Made { get; private set; }

        public FleetRunResult Run(
            FleetSetup setup,
            IExchangeSink sink,
            IProgress<FleetProgress>? progress,
            CancellationToken cancellation,
            CancellationToken abort
        )
        {
            Made++;
            return LocalFleetRunner.Instance.Run(setup, sink, progress, cancellation, abort);
        }
    }
}
