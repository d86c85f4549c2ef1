using System.Diagnostics;
using System.Net.Sockets;
using MqttCheck.Brokers.Processes.Children;

namespace MqttCheck.LiveClusters.Tests.Bridges;

/// <summary>Mosquitto brokers with configurations of bridges, on free ports of the loopback.</summary>
internal sealed class RealBridges : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("bridges-").FullName;
    private readonly List<Process> _brokers = [];
    private readonly List<RawSubscriber> _subscribers = [];
    private readonly int[] _bridges;

    private readonly PortReservation[] _ports;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(15);

    /// <summary>Writes the configurations and starts nothing.</summary>
    /// <param name="configurations">Texts with the places <c>{port0}</c>, <c>{port1}</c> and so on.</param>
    public RealBridges(IReadOnlyList<string> configurations)
    {
        // A port that is only free for now may become that of an outgoing connection before its broker takes it.
        _ports = [.. configurations.Select(_ => new PortReservation())];
        int[] ports = [.. _ports.Select(port => port.Port)];
        Ports = ports;
        var files = new List<string>();
        foreach (var (index, text) in configurations.Index())
        {
            var file = Path.Combine(_directory, $"n{index}.conf");
            var body = ports
                .Index()
                .Aggregate(text, (all, port) => all.Replace($"{{port{port.Index}}}", $"{port.Item}"));
            File.WriteAllText(file, $"user {Environment.UserName}\n{body}");
            files.Add(file);
        }
        Files = files;
        _bridges = [.. configurations.Select(text => text.Split("\nconnection ").Length - 1)];
    }

    /// <summary>The written files, one of each broker.</summary>
    public IReadOnlyList<string> Files { get; }

    /// <summary>The ports of the brokers.</summary>
    public IReadOnlyList<int> Ports { get; }

    /// <summary>Starts the brokers.</summary>
    public void Start()
    {
        foreach (var file in Files)
        {
            var program = File.Exists("/usr/sbin/mosquitto") ? "/usr/sbin/mosquitto" : "mosquitto";
            var start = new ProcessStartInfo(program, ["-c", file])
            {
                RedirectStandardError = true,
                WorkingDirectory = _directory,
            };
            var broker = Process.Start(start)!;
            broker.ErrorDataReceived += (_, _) => { };
            broker.BeginErrorReadLine();
            _brokers.Add(broker);
        }
    }

    /// <summary>Waits until all bridges are connected.</summary>
    public void WaitForBridges(TimeSpan most)
    {
        var watch = Stopwatch.StartNew();
        while (_subscribers.Count < Ports.Count)
        {
            try
            {
                _subscribers.Add(new RawSubscriber(Ports[_subscribers.Count]));
            }
            catch (SocketException) when (watch.Elapsed < most)
            {
                Thread.Sleep(20);
            }
        }
        while (_subscribers.Zip(_bridges).Any(of => of.First.ActiveBridges < of.Second))
        {
            if (watch.Elapsed > most)
                throw new TimeoutException($"{_directory}: not all bridges were connected within {most}");
            foreach (var subscriber in _subscribers)
                subscriber.Read(5);
        }
        // A bridge subscribes as soon as it is connected.
        ReadUntilQuiet(TimeSpan.FromMilliseconds(300), int.MaxValue);
    }

    /// <summary>
    /// Publishes once and counts what arrives at each broker: until the counts are as expected, and then until nothing
    /// comes any more. On a busy machine a broker may stand still for seconds before that.
    /// </summary>
    /// <param name="node">The broker.</param>
    /// <param name="topic">The topic.</param>
    /// <param name="isExpected">Whether the counts are as expected.</param>
    /// <param name="most">The number from which on the publication is taken to come for ever.</param>
    /// <param name="quiet">How long nothing must come.</param>
    /// <returns>The arrivals by broker.</returns>
    public int[] Publish(int node, string topic, Func<int[], bool> isExpected, int most, TimeSpan quiet)
    {
        _subscribers.ForEach(subscriber => subscriber.Reset());
        _subscribers[node].Publish(topic);
        var watch = Stopwatch.StartNew();
        while (!isExpected(Arrivals) && watch.Elapsed < s_patience)
            _subscribers.ForEach(subscriber => subscriber.Read(1));
        ReadUntilQuiet(quiet, most);
        return Arrivals;
    }

    private int[] Arrivals => [.. _subscribers.Select(subscriber => subscriber.Arrivals)];

    /// <summary>Ends the brokers and removes their files.</summary>
    public void Dispose()
    {
        if (!Directory.Exists(_directory))
            return;
        foreach (var broker in _brokers)
        {
            broker.Kill();
            broker.WaitForExit();
            broker.Dispose();
        }
        _subscribers.ForEach(subscriber => subscriber.Dispose());
        foreach (var port in _ports)
            port.Dispose();
        Directory.Delete(_directory, recursive: true);
    }

    private void ReadUntilQuiet(TimeSpan quiet, int most)
    {
        var since = Stopwatch.StartNew();
        while (since.Elapsed < quiet && _subscribers.Sum(subscriber => subscriber.Arrivals) < most)
        {
            foreach (var subscriber in _subscribers)
            {
                if (subscriber.Read(1))
                    since.Restart();
            }
        }
    }
}
