using MqttCheck.Broker.Faults;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using static MqttCheck.Tests.Broker.Faults.WrongCore;

namespace MqttCheck.Tests.Broker.Faults;

/// <summary>Each wrong core treats subscriptions wrongly in its one way.</summary>
[TestFixture]
internal sealed class WrongSubscriptionsTests
{
    [Test]
    public void No_Local_is_ignored() =>
        Differs(
            BrokerMutant.NoLocalIgnored,
            "",
            "own",
            bench =>
            {
                var client = bench.Join("a");
                client.Subscribe("t", 0, noLocal: true);
                client.Publish("t", "own");
                return client.Payloads();
            }
        );

    // A filter that is there already is none more, so the fourth can be subscribed to again.
    [Test]
    public void The_fifth_subscription_is_lost() =>
        Differs(
            BrokerMutant.FifthSubscriptionLost,
            "4 4 5 d0 e0",
            "4 4 4 d0",
            bench =>
            {
                var client = bench.Join("a");
                var counts = new List<int>();
                foreach (var filters in new[] { "abcd", "d", "e" })
                {
                    foreach (var filter in filters)
                        client.Subscribe($"{filter}", filters.Length == 4 ? 1 : 0);
                    counts.Add(bench.Core.Counters.Subscriptions);
                }
                foreach (var topic in "de")
                    bench.Join("p").Publish($"{topic}", "x", 1);
                var messages = client.Deliveries().Select(packet => $"{packet.Topic}{(int)packet.Qos}");
                return $"{string.Join(' ', counts)} {string.Join(' ', messages)}";
            }
        );

    [TestCase(BrokerMutant.OverlapReplaces, "2 2 1")]
    [TestCase(BrokerMutant.UnsubscribeCovered, "3 3 1")]
    public void A_filter_takes_those_with_it_that_it_covers(BrokerMutant mutant, string wrong) =>
        Differs(
            mutant,
            "3 3 2",
            wrong,
            bench =>
            {
                var client = bench.Join("a");
                var counts = new List<int>();
                foreach (var filter in new[] { "a/b", "c", "a/#", "a/#" })
                {
                    client.Subscribe(filter, 0);
                    counts.Add(bench.Core.Counters.Subscriptions);
                }
                client.Unsubscribe("a/#");
                return $"{counts[2]} {counts[3]} {bench.Core.Counters.Subscriptions}";
            }
        );

    [Test]
    public void The_codes_of_SUBACK_are_reversed() =>
        Differs(
            BrokerMutant.SubackReversed,
            "0 1",
            "1 0",
            bench =>
            {
                var client = bench.Join("a");
                client.Send(new SubscribePacket(1, [new("a", 0), new("b", QualityOfService.AtLeastOnce)]));
                return string.Join(' ', client.Take<SubackPacket>().ReasonCodes.Select(code => (int)code));
            }
        );

    [Test]
    public void UNSUBACK_reports_success_for_every_filter() =>
        Differs(
            BrokerMutant.UnsubackAlwaysSuccess,
            "NoSubscriptionExisted",
            "Success",
            bench => $"{bench.Join("a").Unsubscribe("nothing").ReasonCodes[0]}"
        );

    [Test]
    public void UNSUBSCRIBE_ends_its_first_filter_only() =>
        Differs(
            BrokerMutant.UnsubscribeFirstOnly,
            "0",
            "b",
            bench =>
            {
                var client = bench.Join("a");
                client.Subscribe("a", 0);
                client.Subscribe("b", 0);
                client.Unsubscribe("a", "b");
                foreach (var topic in "ab")
                    bench.Join("p").Publish($"{topic}", $"{topic}");
                var payloads = client.Payloads();
                return payloads.Length == 0 ? $"{bench.Core.Counters.Subscriptions}" : payloads;
            }
        );

    [TestCase(BrokerMutant.ResubscribeKeepsOptions, "other:kept:8:1")]
    [TestCase(BrokerMutant.ResubscribeKeepsIdentifier, "own:live:7:1 other:live:7:1")]
    [TestCase(BrokerMutant.ResubscribeKeepsQos, "own:live:8:2 other:live:8:2")]
    public void Subscribing_again_leaves_something_as_it_was(BrokerMutant mutant, string wrong) =>
        Differs(
            mutant,
            "own:live:8:1 other:live:8:1",
            wrong,
            bench =>
            {
                var client = bench.Join("a");
                client.Subscribe("t", 2, identifier: 7, noLocal: true, asPublished: true);
                client.Subscribe("t", 1, identifier: 8);
                client.Publish("t", "own", 2, retain: true);
                bench.Join("b").Publish("t", "other", 2, retain: true);
                return client.Details();
            }
        );

    // Which subscription comes first is the core's own affair.
    [TestCase(BrokerMutant.FirstIdentifierOnly)]
    [TestCase(BrokerMutant.LastIdentifierOnly)]
    public void One_copy_carries_one_identifier_only(BrokerMutant mutant)
    {
        Assert.That(Identifiers(BrokerMutant.None, 1, 2, 3), Is.EquivalentTo(new uint[] { 1, 2, 3 }));
        var (first, last) = (
            Identifiers(BrokerMutant.FirstIdentifierOnly, 1, 2, 3),
            Identifiers(BrokerMutant.LastIdentifierOnly, 1, 2, 3)
        );
        Assert.That((first.Length, last.Length), Is.EqualTo((1, 1)));
        Assert.That(first, Is.Not.EqualTo(last));
        Assert.That(Identifiers(mutant, 0, 0, 5), Is.EqualTo(new uint[] { 5 }));
        Assert.That(Identifiers(mutant, 5, 0, 0), Is.EqualTo(new uint[] { 5 }));
        Assert.That(Identifiers(mutant, 0, 0, 0), Is.Empty);
    }

    [Test]
    public void A_message_goes_to_two_members_of_a_group() =>
        Differs(
            BrokerMutant.SharedToTwo,
            "1 0 1",
            "1 1 1",
            bench =>
            {
                var members = Members(bench, "$share/g/t", "$share/g/t", "$share/alone/t");
                bench.Join("p").Publish("t", "x");
                return string.Join(' ', members.Select(member => member.Deliveries().Length));
            }
        );

    [TestCase(BrokerMutant.SharedAtQos0, "x:live:7:0")]
    [TestCase(BrokerMutant.SharedWithoutIdentifier, "x:live::1")]
    public void Messages_of_groups_lack_QoS_or_identifier(BrokerMutant mutant, string wrong) =>
        Differs(
            mutant,
            "x:live:7:1",
            wrong,
            bench =>
            {
                var member = bench.Join("m");
                member.Subscribe("$share/g/t", 1, identifier: 7);
                bench.Join("p").Publish("t", "x", 1);
                return member.Details();
            }
        );

    [Test]
    public void The_UNSUBSCRIBE_of_one_member_ends_the_group() =>
        Differs(
            BrokerMutant.SharedUnsubscribeEndsAll,
            "2 x",
            "1 ",
            bench =>
            {
                var members = Members(bench, "$share/g/t", "$share/g/t", "plain", "plain");
                members[0].Unsubscribe("$share/g/t");
                members[2].Unsubscribe("plain");
                bench.Join("p").Publish("t", "x");
                return $"{bench.Core.Counters.Subscriptions} {members[1].Payloads()}";
            }
        );

    // The group of both names lives until its last member has gone.
    [Test]
    public void Share_names_are_ignored() =>
        Differs(
            BrokerMutant.ShareNameIgnored,
            "x y z|x y|plain",
            "x z|y|plain",
            bench =>
            {
                var members = Members(bench, "$share/g/t", "$share/h/t", "plain");
                var publisher = bench.Join("p");
                publisher.Publish("t", "x");
                publisher.Publish("t", "y");
                members[1].Send(new UnsubscribePacket(1, ["$share/h/t"]));
                publisher.Publish("t", "z");
                members[0].Send(new UnsubscribePacket(1, ["$share/g/t"]));
                publisher.Publish("t", "nobody");
                publisher.Publish("plain", "plain");
                return string.Join('|', members.Select(member => member.Payloads()));
            }
        );

    [Test]
    public void A_wildcard_matches_topics_that_begin_with_a_dollar() =>
        Differs(
            BrokerMutant.DollarMatched,
            "a",
            "$ a",
            bench =>
            {
                var client = bench.Join("s");
                client.Subscribe("#", 0);
                var publisher = bench.Join("p");
                publisher.Publish("$x/y", "$");
                publisher.Publish("a", "a");
                return client.Payloads();
            }
        );

    private static uint[] Identifiers(BrokerMutant mutant, params int[] identifiers)
    {
        var bench = Bench(mutant);
        var client = bench.Join("s");
        string[] filters = ["a/#", "a/+", "a/b"];
        for (var i = 0; i < filters.Length; i++)
            client.Subscribe(filters[i], 0, identifiers[i]);
        bench.Join("p").Publish("a/b", "x");
        return [.. client.Take<PublishPacket>().Properties.SubscriptionIdentifiers];
    }

    private static BenchClient[] Members(BrokerBench bench, params string[] filters) =>
        [
            .. filters.Select(
                (filter, i) =>
                {
                    var member = bench.Join($"m{i}");
                    member.Subscribe(filter, 0);
                    return member;
                }
            ),
        ];
}
