using System.Globalization;
using System.Net;
using System.Net.Sockets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Conformance.Roles.Playing;
using MqttCheck.Conformance.Roles.Scripts;

namespace MqttCheck.Conformance.Roles.Running;

/// <summary>Plays a script to a program that is started for it, over a port of the loopback interface.</summary>
internal sealed class ProgramRun : IPlayedWire, IDisposable
{
    private const int ReceiveBytes = 65536;
    private static readonly TimeSpan s_step = TimeSpan.FromMilliseconds(5);
    private static readonly TimeSpan s_stop = TimeSpan.FromSeconds(2);

    // A client that reads nothing is lost.
    private static readonly TimeSpan s_sendPatience = TimeSpan.FromSeconds(1);

    private readonly Lock _lock = new();
    private readonly Dictionary<int, Socket> _sockets = [];
    private readonly PlayedClock _clock = new();
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _end = new();
    private readonly BrokerPlayer _player;
    private int _connections;

    private ProgramRun(BrokerScript script, TimeSpan patience) => _player = new(script, this, patience);

    /// <summary>Plays a script.</summary>
    /// <exception cref="BrokerException">The program cannot be started.</exception>
    public static async Task<PlayedRun> PlayAsync(
        IReadOnlyList<string> command,
        BrokerScript script,
        TimeSpan patience,
        CancellationToken cancellation
    )
    {
        using var run = new ProgramRun(script, patience);
        run._listener.Start();
        var port = ((IPEndPoint)run._listener.LocalEndpoint).Port.ToString(CultureInfo.InvariantCulture);
        string[] words =
        [
            .. command.Select(word =>
                word.Replace(BrokerSpecification.PortPlaceholder, port, StringComparison.Ordinal)
            ),
        ];
        await using var program = ChildProcess.StartNode(new(words[0], words[1..]), Environment.CurrentDirectory);
        var accepting = run.AcceptAsync();
        try
        {
            while (!run._player.IsOver)
            {
                await Task.Delay(s_step, cancellation);
                lock (run._lock)
                {
                    if (program.Exited.IsCompleted && !run._player.HasProgramEnded)
                        run._player.ProgramEnded(run._clock.Now());
                    run._player.Tick(run._clock.Now());
                }
            }
        }
        finally
        {
            await run._end.CancelAsync();
            await accepting;
            await program.StopAsync(s_stop);
        }
        return PlayedRun.Of(script, run._player.Monitor, program.Output);
    }

    void IPlayedWire.Send(int connection, ReadOnlyMemory<byte> bytes)
    {
        if (!_sockets.TryGetValue(connection, out var socket))
            return;
        try
        {
            while (bytes.Length > 0)
                bytes = bytes[socket.Send(bytes.Span)..];
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // Its reader sees the end.
        }
    }

    void IPlayedWire.Close(int connection)
    {
        if (!_sockets.Remove(connection, out var socket))
            return;
        try
        {
            socket.Shutdown(SocketShutdown.Both);
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // The client was faster.
        }
        socket.Dispose();
    }

    public void Dispose()
    {
        _listener.Dispose();
        foreach (var socket in _sockets.Values)
            socket.Dispose();
        _end.Dispose();
    }

    private async Task AcceptAsync()
    {
        List<Task> readers = [];
        try
        {
            while (true)
            {
                var socket = await _listener.AcceptSocketAsync(_end.Token);
                socket.NoDelay = true;
                socket.SendTimeout = (int)s_sendPatience.TotalMilliseconds;
                int number;
                lock (_lock)
                {
                    number = ++_connections;
                    _sockets[number] = socket;
                    _player.Opened(number, _clock.Now());
                }
                readers.Add(ReadAsync(number, socket));
            }
        }
        catch (Exception exception) when (exception is OperationCanceledException or SocketException)
        {
            // The run is over.
        }
        await Task.WhenAll(readers);
    }

    private async Task ReadAsync(int number, Socket socket)
    {
        var buffer = new byte[ReceiveBytes];
        try
        {
            while (await socket.ReceiveAsync(buffer, _end.Token) is > 0 and var count)
                lock (_lock)
                    _player.Received(number, buffer.AsSpan(0, count), _clock.Now());
        }
        catch (Exception exception)
            when (exception is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            // The connection or the run is over.
        }
        lock (_lock)
        {
            if (_end.IsCancellationRequested)
                return;
            _player.Closed(number, _clock.Now());
            if (_sockets.Remove(number))
                socket.Dispose();
        }
    }
}
