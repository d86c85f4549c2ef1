using MqttCheck.Brokers.Loads;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Frames;

namespace MqttCheck.Brokers.Tests.Loads;

/// <summary>Two qualities of service in one load.</summary>
[TestFixture]
internal sealed class LoadQosTests
{
    private static readonly Workload s_workload = VirtualLoad.Workload() with
    {
        Publishers = 4,
        Subscribers = 4,
        SecondQos = QualityOfService.ExactlyOnce,
        SubscribeQos = QualityOfService.ExactlyOnce,
        Arrivals = ArrivalKind.Constant,
        MessagesPerSecond = 400,
    };

    [Test]
    public void The_second_half_of_the_publishers_has_its_own_QoS()
    {
        var seen = new Deliveries();
        var load = new VirtualLoad(change: setup => setup with { Observer = seen });
        load.Run(s_workload);
        Assert.That(seen.Qos.Keys, Is.EquivalentTo([0, 1, 2, 3]));
        Assert.That(
            seen.Qos.OrderBy(one => one.Key).Select(one => one.Value.Distinct().Single()),
            Is.EqualTo([1, 1, 2, 2])
        );
    }

    private sealed class Deliveries : ILoadObserver
    {
        public Dictionary<int, List<int>> Qos { get; } = [];

        public void Began(long measureStart, long end) { }

        public void Sent(int publisher, int node, long number, long payloadPrint, long atNanoseconds) { }

        public void Acknowledged(int publisher, int node, long number, long atNanoseconds) { }

        public void Subscribed(int subscriber, int node, bool isResumed, int grantedQos, long atNanoseconds) { }

        public void Unsubscribed(int subscriber, int node, long atNanoseconds) { }

        public void SessionForgotten(int subscriber, int node, long atNanoseconds) { }

        public void SessionInvented(int subscriber, int node, long atNanoseconds) { }

        public void Disconnected(int subscriber, int node, long atNanoseconds) { }

        public void Strayed(int subscriber, int node, int publisher, in PublishView message, long atNanoseconds) { }

        public void Delivered(
            int subscriber,
            int node,
            int publisher,
            long number,
            in PublishView message,
            long atNanoseconds
        ) => (Qos.TryGetValue(publisher, out var seen) ? seen : Qos[publisher] = []).Add((int)message.Qos);
    }
}
