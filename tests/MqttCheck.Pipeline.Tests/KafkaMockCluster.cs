using Confluent.Kafka;

namespace MqttCheck.Pipeline.Tests;

/// <summary>
/// The test cluster inside librdkafka, whose brokers on loopback speak Kafka's protocol. It keeps nothing on disk. It
/// shows that a client speaks the protocol, but not that a log survives.
/// </summary>
internal sealed class KafkaMockCluster : IDisposable
{
    /// <summary>How many partitions its topics have: they are created as they are named.</summary>
    public const int Partitions = 4;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

    private readonly IProducer<Null, Null> _handle;

    /// <summary>Starts one.</summary>
    /// <param name="brokers">How many brokers it has.</param>
    public KafkaMockCluster(int brokers = 3)
    {
        var settings = new ProducerConfig { BootstrapServers = "127.0.0.1:1" };
        settings.Set("test.mock.num.brokers", brokers.ToString(System.Globalization.CultureInfo.InvariantCulture));
        _handle = new ProducerBuilder<Null, Null>(settings).SetLogHandler((_, _) => { }).Build();
        using var admin = new DependentAdminClientBuilder(_handle.Handle).Build();
        var known = admin.GetMetadata(s_patience).Brokers;
        BootstrapServers = string.Join(',', known.Select(broker => $"{broker.Host}:{broker.Port}"));
    }

    /// <summary>The addresses of its brokers.</summary>
    public string BootstrapServers { get; }

    /// <inheritdoc/>
    public void Dispose() => _handle.Dispose();
}
