using MqttCheck.Captures.Foreign;
using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Protocol;

namespace MqttCheck.Captures.Tests.Foreign;

/// <summary>Any CSV file is a log as soon as somebody says what its columns mean.</summary>
[TestFixture]
internal sealed class MappedLogTests : DirectoryFixture
{
    private const string Text =
        "at;took;what;who;bytes;level;where;fine\n"
        + "100;2.5;pub;a;20;1;t/a;yes\n"
        + "101;;publish;b;21;2;t/b;yes\n"
        + "102;4;SUBSCRIBE;a;0;1;t/a;no\n"
        + "103;1;ping;a;0;0;;yes\n";

    [Test]
    public void Columns_mean_what_the_map_says()
    {
        var (log, said) = Turn(
            Text,
            "time=at,latency=took:us,message=what,client=who,size=bytes,qos=level,topic=where,success=fine"
        );

        Assert.That(
            log.Exchanges.Select(exchange =>
                (
                    exchange.Message,
                    exchange.Client,
                    exchange.MessageSize,
                    exchange.Qos,
                    exchange.Topic,
                    exchange.Outcome
                )
            ),
            Is.EqualTo(
                new[]
                {
                    (MessageKind.Publish, 0, 20, QualityOfService.AtLeastOnce, 0, ExchangeOutcome.Success),
                    (MessageKind.Publish, 1, 21, QualityOfService.ExactlyOnce, 1, ExchangeOutcome.Cancelled),
                    (MessageKind.Subscribe, 0, 0, QualityOfService.AtLeastOnce, 0, ExchangeOutcome.Refused),
                }
            )
        );
        Assert.That(log.Exchanges[0].LatencyMilliseconds, Is.EqualTo(.0025).Within(1e-12));
        Assert.That(log.Exchanges[1].SentMicroseconds, Is.EqualTo(1000));
        Assert.That(said, Has.Some.Contains("\"ping\""));
        Assert.That(said.Count(line => line.StartsWith("missing", StringComparison.Ordinal)), Is.EqualTo(1));
    }

    [Test]
    public void Dates_and_ends_give_open_exchanges()
    {
        var (log, said) = Turn(
            "from,to\n2026-05-01T12:00:00.000Z,2026-05-01T12:00:00.100Z\n"
                + "2026-05-01T12:00:00.050Z,2026-05-01T14:00:00.075+02:00\n",
            "time=from,end=to"
        );

        Assert.That(log.Exchanges.Select(exchange => exchange.LatencyMilliseconds), Is.EqualTo(new[] { 100d, 25d }));
        Assert.That(log.Exchanges.Select(exchange => exchange.ActiveMessages), Is.EqualTo(new[] { 1, 2 }));
        Assert.That(said, Does.Contain("missing: message: every line counts as a publication"));
        Assert.That(said, Does.Contain("missing: client: all lines are of one client"));
    }

    [TestCase("1599643916.5", "time=COLUMN:s")]
    [TestCase("1599643916416823", ":us or :ns")]
    [TestCase("noon", "such as 2026-05-01")]
    [TestCase("-3", "a number")]
    public void A_time_in_another_unit_is_refused(string time, string allowed)
    {
        Assert.That(
            () => Turn($"t,l\n{time},1\n", "time=t,latency=l"),
            Throws
                .TypeOf<InputException>()
                .With.Message.Contains($":2: column t: \"{time}\" given")
                .And.Message.Contains(allowed)
        );
    }

    [Test]
    public void An_end_before_the_beginning_is_refused()
    {
        Assert.That(
            () => Turn("t,e\n5,4\n", "time=t,end=e"),
            Throws.TypeOf<InputException>().With.Message.Contains("column e: \"4\" given; allowed: not before")
        );
    }

    [TestCase("time", "'time' given; allowed: PART=COLUMN")]
    [TestCase("time=a", "with time, and either latency or end")]
    [TestCase("time=a,latency=b,end=c", "either latency or end")]
    [TestCase("time=a,time=b,latency=c", "'time' given twice")]
    [TestCase("time=a,latncy=b", "did you mean 'latency'")]
    public void A_map_that_is_none_is_refused(string columns, string said)
    {
        Assert.That(
            () => ColumnMap.Parse(columns),
            Throws.TypeOf<InputException>().With.Message.StartsWith("--columns: ").And.Message.Contains(said)
        );
    }

    [TestCase("MQTT Pub Sampler", MessageKind.Publish)]
    [TestCase("mqtt-disconnect", MessageKind.Disconnect)]
    [TestCase("Connect", MessageKind.Connect)]
    [TestCase("UNSUBSCRIBE", MessageKind.Unsubscribe)]
    [TestCase("PubSub", null)]
    [TestCase("HTTP", null)]
    public void Words_name_at_most_one_kind_of_message(string text, MessageKind? kind)
    {
        Assert.That(MessageWords.Find(text), Is.EqualTo(kind));
    }

    private (ExchangeLog Log, string[] Said) Turn(string text, string columns)
    {
        File.WriteAllText(In("log"), text);
        return ForeignTable.Turn(In("log"), columns);
    }
}
