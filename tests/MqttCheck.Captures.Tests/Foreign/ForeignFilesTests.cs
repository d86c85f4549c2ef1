using MqttCheck.Captures.Foreign;
using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Protocol;

namespace MqttCheck.Captures.Tests.Foreign;

/// <summary>Logs of other programs give what they have, and say what is missing.</summary>
[TestFixture]
internal sealed class ForeignFilesTests : DirectoryFixture
{
    [Test]
    public void Samples_of_JMeter_are_exchanges_of_its_threads()
    {
        var (log, said) = Turn(ForeignTable.JMeter);

        Assert.That(
            log.Exchanges.Select(exchange =>
                (exchange.Message, exchange.Client, exchange.MessageSize, exchange.Outcome, exchange.EndMicroseconds)
            ),
            Is.EqualTo(
                new[]
                {
                    (MessageKind.Connect, 0, 0, ExchangeOutcome.Success, 12_000d),
                    (MessageKind.Publish, 0, 55, ExchangeOutcome.Success, 107_000d),
                    (MessageKind.Publish, 1, 60, ExchangeOutcome.Refused, 112_000d),
                    (MessageKind.Disconnect, 0, 0, ExchangeOutcome.Success, 402_000d),
                }
            )
        );
        Assert.That(log.Exchanges.Select(exchange => exchange.ActiveMessages), Is.EqualTo(new[] { 1, 1, 2, 1 }));
        Assert.That(log.Exchanges[1].LatencyMilliseconds, Is.EqualTo(7));
        Assert.That(log.Information.Cases[0].Sessions!.Online, Is.EqualTo(new[] { 1 }));
        Assert.That(said, Has.Some.StartsWith("missing: deliveries"));
        Assert.That(said, Has.Some.StartsWith("not used: 1 samples of subscriptions"));
        Assert.That(said, Has.Some.Contains("\"HTTP Request\""));
        Assert.That(said, Does.Contain("failed: 1 exchanges, by the other program"));
    }

    [Test]
    public void A_message_of_MQTTLoader_ends_with_its_last_delivery()
    {
        var (log, said) = Turn(ForeignTable.MqttLoader);

        Assert.That(
            log.Exchanges.Select(exchange =>
                (
                    exchange.Client,
                    exchange.LatencyMilliseconds,
                    exchange.Receivers,
                    exchange.Subscribers,
                    exchange.Outcome
                )
            ),
            Is.EqualTo(
                new[]
                {
                    (0, 3.5, 2, 2, ExchangeOutcome.Success),
                    (1, 4d, 2, 2, ExchangeOutcome.Success),
                    (0, double.NaN, 0, 2, ExchangeOutcome.Cancelled),
                }
            )
        );
        Assert.That(log.Exchanges[0].AcknowledgedMicroseconds, Is.NaN);
        Assert.That(log.Exchanges[0].LastDeliveryMicroseconds, Is.EqualTo(3500));
        Assert.That(log.Information.Cases[0].Sessions!.Subscriptions, Has.Count.EqualTo(2));
        Assert.That(said, Does.Contain("not used: 1 deliveries whose sending is not in the log"));
        Assert.That(said, Does.Contain("not used: 1 exchanges whose end is not known"));
    }

    [Test]
    public void Older_records_of_MQTTLoader_count_milliseconds()
    {
        var (log, _) = Turn("1599643916416,ml-p-1,S,\n1599643916419,ml-s-1,R,3\n");

        Assert.That(log.Exchanges[0].LatencyMilliseconds, Is.EqualTo(3));
        Assert.That(log.Exchanges[0].SendBoundMicroseconds, Is.EqualTo(1000));
    }

    [Test]
    public void Fields_of_tshark_pair_requests_with_answers_of_their_connection()
    {
        var (log, said) = Turn(ForeignTable.Tshark);

        Assert.That(
            log.Exchanges.Select(exchange =>
                (exchange.Message, exchange.Client, exchange.Qos, exchange.MessageSize, exchange.EndMicroseconds)
            ),
            Is.EqualTo(
                new[]
                {
                    (MessageKind.Connect, 0, QualityOfService.AtMostOnce, 0, 500d),
                    (MessageKind.Subscribe, 0, QualityOfService.AtMostOnce, 0, 1250d),
                    (MessageKind.Connect, 1, QualityOfService.AtMostOnce, 0, 2100d),
                    (MessageKind.Publish, 1, QualityOfService.AtLeastOnce, 1, 10_200d),
                    (MessageKind.Publish, 1, QualityOfService.ExactlyOnce, 3, 10_400d),
                    (MessageKind.Publish, 1, QualityOfService.AtLeastOnce, 1, 20_000d),
                }
            )
        );
        Assert.That(log.Exchanges[5].Outcome, Is.EqualTo(ExchangeOutcome.Cancelled));
        Assert.That(said, Does.Contain("not used: 1 publications at QoS 0, which nobody acknowledges"));
    }

    [Test]
    public void Fields_without_an_answer_need_the_port_of_the_broker()
    {
        var lines = ForeignTable.Tshark.Split('\n');
        var text = string.Join('\n', lines[0], lines[7]);

        Assert.That(() => Turn(text), Throws.TypeOf<InputException>().With.Message.Contains("--port N"));
        Assert.That(ForeignTable.Turn(In("log"), null, 1883).Log.Exchanges, Has.Length.EqualTo(2));
    }

    [Test]
    public void A_log_is_known_by_its_first_line()
    {
        foreach (var text in (string[])[ForeignTable.JMeter, ForeignTable.MqttLoader, ForeignTable.Tshark])
            Assert.That(ForeignFiles.IsKnown(Written(text)), text[..20]);
        Assert.That(ForeignFiles.IsKnown(Written("message,active_messages,total_subscriptions\n")), Is.False);
        Assert.That(ForeignFiles.IsKnown(In("missing")), Is.False);
    }

    [Test]
    public void A_wrong_value_is_named_by_file_line_and_column()
    {
        Assert.That(
            () => Turn(ForeignTable.JMeter.Replace(",9,", ",nine,", StringComparison.Ordinal)),
            Throws
                .TypeOf<InputException>()
                .With.Message.EndsWith("log:4: column elapsed: \"nine\" given; allowed: whole milliseconds, at least 0")
        );
        Assert.That(
            () => Turn(ForeignTable.MqttLoader.Replace("ml-s-1,R,1000", "ml-s-1,X,1000", StringComparison.Ordinal)),
            Throws.TypeOf<InputException>().With.Message.Contains(":4: column 3 (event): \"X\" given; allowed: S")
        );
    }

    [Test]
    public void Results_of_JMeter_in_XML_or_without_a_column_say_what_to_do()
    {
        Assert.That(
            () => Turn("<?xml version=\"1.0\"?>\n<testResults/>\n"),
            Throws.TypeOf<InputException>().With.Message.Contains("output_format=csv")
        );
        Assert.That(
            () => Turn(ForeignTable.JMeter.Replace("threadName", "thread", StringComparison.Ordinal)),
            Throws.TypeOf<InputException>().With.Message.Contains(":1: column threadName: not there; allowed: one of")
        );
        Assert.That(
            () => Turn(string.Join('\n', ForeignTable.JMeter.Split('\n')[0], "")),
            Throws.TypeOf<InputException>().With.Message.Contains("no exchange in it")
        );
    }

    private (ExchangeLog Log, string[] Said) Turn(string text) => ForeignTable.Turn(Written(text));

    private string Written(string text)
    {
        File.WriteAllText(In("log"), text);
        return In("log");
    }
}
