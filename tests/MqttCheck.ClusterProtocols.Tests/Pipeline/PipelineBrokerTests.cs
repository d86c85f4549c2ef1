using MqttCheck.ClusterProtocols.Pipeline;

namespace MqttCheck.ClusterProtocols.Tests.Pipeline;

/// <summary>One broker, whose log and store answer as the test says.</summary>
[TestFixture]
internal sealed class PipelineBrokerTests
{
    private const int Client = 7;
    private static readonly StoredMessage s_first = new(1, 1, new PipelineMessage(18, "t", 1));
    private static readonly StoredMessage s_second = new(2, 2, new PipelineMessage(19, "t", 1));

    // Broker 0 stores a message while its client connects to this one, and hands it on after the store had it.
    [Test]
    public void What_the_store_had_and_another_broker_hands_on_is_delivered_once([Values] bool isAcknowledged)
    {
        var output = new Recorder();
        var broker = new PipelineBroker(2, 3, new PipelineOptions(), output);
        broker.Start();
        broker.Connect(Client, isPersistent: true);
        broker.Got(output.Asked, succeeded: true, [s_first], now: 0);
        if (isAcknowledged)
            broker.Acknowledge(Client, s_first.PacketId);
        broker.Polled(output.Downlink, [new LogRecord(Client, s_first), new LogRecord(Client, s_second)], 2, now: 1);
        Assert.That(output.Delivered, Is.EqualTo([s_first, s_second]));
    }

    // An identifier that comes round is another message.
    [Test]
    public void An_identifier_that_is_given_again_is_another_message()
    {
        var output = new Recorder();
        var broker = new PipelineBroker(2, 3, new PipelineOptions(), output);
        broker.Start();
        broker.Connect(Client, isPersistent: true);
        broker.Got(output.Asked, succeeded: true, [s_first], now: 0);
        broker.Acknowledge(Client, s_first.PacketId);
        var again = s_second with { PacketId = s_first.PacketId };
        broker.Polled(output.Downlink, [new LogRecord(Client, again)], 1, now: 1);
        Assert.That(output.Delivered, Is.EqualTo([s_first, again]));
    }

    private sealed class Recorder : IPipelineOutput
    {
        public long Asked { get; private set; }

        public long Downlink { get; private set; }

        public List<StoredMessage> Delivered { get; } = [];

        public void Append(LogPartition partition, in LogRecord record, long token) { }

        public void Poll(LogPartition partition, int most, long token)
        {
            if (partition.Topic == LogTopic.Downlink)
                Downlink = token;
        }

        public void Commit(LogPartition partition, long next, long token) { }

        public void Add(int client, IReadOnlyList<PipelineMessage> messages, long token) { }

        public void Remove(int client, ushort packetId) { }

        public void Get(int client, long token) => Asked = token;

        public void AcknowledgePublication(int client, long message) { }

        public void Deliver(int client, in StoredMessage stored) => Delivered.Add(stored);

        public int NodeOf(int client) => 2;

        public IReadOnlyList<PipelineSubscriber> SubscribersOf(in PipelineMessage message) => [];
    }
}
