using System.Globalization;
using Confluent.Kafka;

namespace MqttCheck.Pipeline.Logs;

/// <summary>
/// The test cluster inside librdkafka, whose brokers on loopback speak Kafka's protocol. It keeps nothing on disk. It
/// shows that a client speaks the protocol, but not that a log survives.
/// </summary>
internal sealed class KafkaMock : IDisposable
{
    /// <summary>How many partitions its topics have: they are made as they are named.</summary>
    public const int Partitions = 4;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

    private readonly IProducer<Null, Null> _handle;

    /// <summary>Starts one.</summary>
    /// <param name="brokers">How many brokers it has.</param>
    public KafkaMock(int brokers = 3)
    {
        var settings = new ProducerConfig { BootstrapServers = "127.0.0.1:1" };
        settings.Set("test.mock.num.brokers", brokers.ToString(CultureInfo.InvariantCulture));
        _handle = new ProducerBuilder<Null, Null>(settings).SetLogHandler((_, _) => { }).Build();
        using var admin = new DependentAdminClientBuilder(_handle.Handle).Build();
        var known = admin.GetMetadata(s_patience).Brokers;
        BootstrapServers = string.Join(',', known.Select(broker => $"{broker.Host}:{broker.Port}"));
    }

    /// <summary>The addresses of its brokers.</summary>
    public string BootstrapServers { get; }

    /// <summary>Serves until the input ends, after it has printed an address.</summary>
    public static async Task<int> RunAsync()
    {
        using var kafka = new KafkaMock();
        await Console.Out.WriteLineAsync($"kafka://{kafka.BootstrapServers.Split(',')[0]}");
        while (await Console.In.ReadLineAsync() is not null) { }
        return 0;
    }

    /// <inheritdoc/>
    public void Dispose() => _handle.Dispose();
}
