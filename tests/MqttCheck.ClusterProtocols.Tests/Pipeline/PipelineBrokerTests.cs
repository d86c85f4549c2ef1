using MqttCheck.ClusterProtocols.Pipeline;

namespace MqttCheck.ClusterProtocols.Tests.Pipeline;

/// <summary>One broker, whose log and store answer as the test says.</summary>
[TestFixture]
internal sealed class PipelineBrokerTests
{
    private const int Client = 7;
    private static readonly StoredMessage s_first = new(1, 1, Message(18, 0));
    private static readonly StoredMessage s_second = new(2, 2, Message(19, 1));

    // Broker 0 stores a message while its client connects to this one, and hands it on after the store had it.
    [Test]
    public void What_the_store_had_and_another_broker_hands_on_is_delivered_once([Values] bool isAcknowledged)
    {
        var output = new Recorder();
        var broker = new PipelineBroker(2, 3, new PipelineOptions(), output);
        broker.Start();
        broker.Connect(Client, isPersistent: true);
        broker.Got(output.Asked, Holding(s_first), now: 0);
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
        broker.Got(output.Asked, Holding(s_first), now: 0);
        broker.Acknowledge(Client, s_first.PacketId);
        var again = s_second with { PacketId = s_first.PacketId };
        broker.Polled(output.Downlink, [new LogRecord(Client, again)], 1, now: 1);
        Assert.That(output.Delivered, Is.EqualTo([s_first, again]));
    }

    // The client came back twice while another broker's message was on its way, and had acknowledged it before.
    [Test]
    public void What_was_acknowledged_over_an_earlier_connection_is_not_delivered_again()
    {
        var output = new Recorder();
        var broker = new PipelineBroker(2, 3, new PipelineOptions(), output);
        broker.Start();
        broker.Connect(Client, isPersistent: true);
        broker.Got(output.Asked, new StoredSession([], new Dictionary<int, long> { [0] = 0 }), now: 0);
        broker.Polled(output.Downlink, [new LogRecord(Client, s_first), new LogRecord(Client, s_second)], 2, now: 1);
        Assert.That(output.Delivered, Is.EqualTo([s_second]));
    }

    [Test]
    public void A_message_of_QoS_2_is_released_when_the_store_knows_that_its_client_has_it()
    {
        var output = new Recorder();
        var broker = new PipelineBroker(2, 3, new PipelineOptions(), output);
        broker.Start();
        broker.Connect(Client, isPersistent: true);
        broker.Got(output.Asked, Holding(s_first), now: 0);
        broker.Receive(Client, s_first.PacketId);
        Assert.That(output.Released, Is.Empty);
        broker.Received(output.Told, succeeded: false, now: 1);
        Assert.That(output.Released, Is.Empty);
        broker.Tick(broker.NextDue);
        broker.Received(output.Told, succeeded: true, now: 2);
        Assert.That(output.Released, Is.EqualTo([s_first.PacketId]));
    }

    [Test]
    public void A_message_that_its_client_has_is_released_again_and_not_sent_again()
    {
        var output = new Recorder();
        var broker = new PipelineBroker(2, 3, new PipelineOptions(), output);
        broker.Start();
        broker.Connect(Client, isPersistent: true);
        broker.Got(output.Asked, Holding(s_first with { IsReceived = true }), now: 0);
        Assert.That((output.Delivered.Count, output.Released.Count), Is.EqualTo((0, 1)));
    }

    private static PipelineMessage Message(long id, long offset) => new(id, "t", 1) { Place = new LogPlace(0, offset) };

    private static StoredSession Holding(StoredMessage stored) =>
        new([stored], new Dictionary<int, long> { [0] = stored.Message.Place!.Value.Offset });

    private sealed class Recorder : IPipelineOutput
    {
        public long Asked { get; private set; }

        public long Downlink { get; private set; }

        public long Told { get; private set; }

        public List<StoredMessage> Delivered { get; } = [];

        public List<ushort> Released { get; } = [];

        public void Append(LogPartition partition, in LogRecord record, long token) { }

        public void Poll(LogPartition partition, int most, long token)
        {
            if (partition.Topic == LogTopic.Downlink)
                Downlink = token;
        }

        public void Commit(LogPartition partition, long next, long token) { }

        public void Add(int client, IReadOnlyList<PipelineMessage> messages, long token) { }

        public void Receive(int client, ushort packetId, long token) => Told = token;

        public void Remove(int client, ushort packetId) { }

        public void Get(int client, long token) => Asked = token;

        public void AcknowledgePublication(int client, long message) { }

        public void Deliver(int client, in StoredMessage stored) => Delivered.Add(stored);

        public void Release(int client, ushort packetId) => Released.Add(packetId);

        public int NodeOf(int client) => 2;

        public IReadOnlyList<PipelineSubscriber> SubscribersOf(in PipelineMessage message) => [];
    }
}
