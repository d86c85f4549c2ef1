using MqttCheck.Broker.Faults;
using MqttCheck.Protocol.Packets;
using static MqttCheck.Tests.Broker.Faults.WrongCore;

namespace MqttCheck.Tests.Broker.Faults;

/// <summary>Each wrong core treats retained messages wrongly in its one way.</summary>
[TestFixture]
internal sealed class WrongRetainedTests
{
    [TestCase(BrokerMutant.Qos0NotRetained, "b")]
    [TestCase(BrokerMutant.Qos0DoesNotDelete, "a b")]
    [TestCase(BrokerMutant.DeleteIgnored, "a b c")]
    public void The_store_is_not_changed(BrokerMutant mutant, string wrong) =>
        Differs(
            mutant,
            "a",
            wrong,
            bench =>
            {
                var publisher = bench.Join("p");
                publisher.Publish("a", "a", 0, retain: true);
                publisher.Publish("b", "b", 1, retain: true);
                publisher.Publish("b", "", 0, retain: true);
                publisher.Publish("c", "c", 1, retain: true);
                publisher.Publish("c", "", 1, retain: true);
                return Retained(bench, "#");
            }
        );

    [Test]
    public void An_empty_message_without_RETAIN_deletes() =>
        Differs(
            BrokerMutant.EmptyDeletes,
            "x y",
            "y",
            bench =>
            {
                var publisher = bench.Join("p");
                publisher.Publish("x", "x", retain: true);
                publisher.Publish("y", "y", retain: true);
                publisher.Publish("x", "");
                publisher.Publish("y", "live");
                return Retained(bench, "#");
            }
        );

    [Test]
    public void A_deletion_is_not_forwarded() =>
        Differs(
            BrokerMutant.DeleteNotForwarded,
            "t=x t= t=",
            "t=x t=",
            bench =>
            {
                var subscriber = bench.Join("s");
                subscriber.Subscribe("t", 0);
                var publisher = bench.Join("p");
                publisher.Publish("t", "x", retain: true);
                publisher.Publish("t", "", retain: true);
                publisher.Publish("t", "");
                return string.Join(' ', subscriber.TakeMessages());
            }
        );

    [Test]
    public void Expired_messages_are_sent() =>
        Differs(
            BrokerMutant.ExpiredRetainedSent,
            "",
            "x",
            bench =>
            {
                bench
                    .Join("p")
                    .Publish(
                        "t",
                        "x",
                        retain: true,
                        properties: new PacketProperties { MessageExpiryIntervalSeconds = 5 }
                    );
                bench.Pass(6);
                return Retained(bench, "t");
            }
        );

    [TestCase(BrokerMutant.StoredWithoutRetain, "x:live:7:0")]
    [TestCase(BrokerMutant.RetainedWithoutIdentifier, "x:kept::0")]
    public void Stored_messages_lack_RETAIN_or_the_identifier(BrokerMutant mutant, string wrong) =>
        Differs(
            mutant,
            "x:kept:7:0",
            wrong,
            bench =>
            {
                bench.Join("p").Publish("t", "x", retain: true);
                var client = bench.Join("s");
                client.Subscribe("t", 0, identifier: 7);
                return client.Details();
            }
        );

    [TestCase(BrokerMutant.HashWithoutRetained, "|a ab|a|ab")]
    [TestCase(BrokerMutant.ParentWithoutRetained, "a ab|ab|a|ab")]
    public void Some_filters_get_too_few_retained_messages(BrokerMutant mutant, string wrong) =>
        Differs(
            mutant,
            "a ab|a ab|a|ab",
            wrong,
            bench =>
            {
                var publisher = bench.Join("p");
                publisher.Publish("a", "a", retain: true);
                publisher.Publish("a/b", "ab", retain: true);
                return string.Join('|', new[] { "#", "a/#", "a", "a/+" }.Select(filter => Retained(bench, filter)));
            }
        );

    [Test]
    public void The_time_in_the_store_is_not_counted() =>
        Differs(
            BrokerMutant.RetainedExpiryNotCounted,
            "[6] []",
            "[10] []",
            bench =>
            {
                var publisher = bench.Join("p");
                publisher.Publish(
                    "t/1",
                    "x",
                    retain: true,
                    properties: new PacketProperties { MessageExpiryIntervalSeconds = 10 }
                );
                publisher.Publish("t/2", "x", retain: true);
                bench.Pass(4);
                var client = bench.Join("s");
                client.Subscribe("t/+", 0);
                return string.Join(
                    ' ',
                    client
                        .Deliveries()
                        .OrderBy(packet => packet.Topic, StringComparer.Ordinal)
                        .Select(packet => $"[{packet.Properties.MessageExpiryIntervalSeconds}]")
                );
            }
        );

    [Test]
    public void Retain_As_Published_is_ignored() =>
        Differs(
            BrokerMutant.RetainAsPublishedIgnored,
            "x:kept::0",
            "x:live::0",
            bench =>
            {
                var client = bench.Join("s");
                client.Subscribe("t", 0, asPublished: true);
                bench.Join("p").Publish("t", "x", retain: true);
                return client.Details();
            }
        );

    [TestCase(BrokerMutant.SendIfNewAlways, "1 1 0")]
    [TestCase(BrokerMutant.SendIfNewNever, "0 0 0")]
    [TestCase(BrokerMutant.DoNotSendIgnored, "1 1 1")]
    public void Retain_handling_is_taken_for_another(BrokerMutant mutant, string wrong) =>
        Differs(
            mutant,
            "1 0 0",
            wrong,
            bench =>
            {
                bench.Join("p").Publish("t", "x", retain: true);
                var client = bench.Join("s");
                var counts = new List<int>();
                foreach (
                    var handling in new[]
                    {
                        RetainHandling.SendIfNew,
                        RetainHandling.SendIfNew,
                        RetainHandling.DoNotSend,
                    }
                )
                {
                    client.Subscribe("t", 0, handling: handling);
                    counts.Add(client.Deliveries().Length);
                }
                return string.Join(' ', counts);
            }
        );

    [Test]
    public void A_shared_subscription_gets_retained_messages() =>
        Differs(
            BrokerMutant.SharedRetained,
            "",
            "x",
            bench =>
            {
                bench.Join("p").Publish("t", "x", retain: true);
                return Retained(bench, "$share/g/t");
            }
        );

    private static string Retained(BrokerBench bench, string filter)
    {
        var reader = bench.Join("reader", clean: true);
        reader.Subscribe(filter, 0);
        return string.Join(' ', reader.Payloads().Split(' ').Order(StringComparer.Ordinal));
    }
}
