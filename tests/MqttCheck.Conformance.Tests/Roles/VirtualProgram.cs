using MqttCheck.Conformance.Roles.Playing;
using MqttCheck.Conformance.Roles.Running;
using MqttCheck.Conformance.Roles.Scripts;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Roles;

/// <summary>Plays scripts to a scripted client in virtual time. What is sent arrives at the next step.</summary>
internal sealed class VirtualProgram : IPlayedWire
{
    private const long Step = 10_000_000;
    private const long ReconnectAfter = 100_000_000;
    private const int MostSteps = 20_000;

    private readonly Queue<byte[]> _toClient = [];
    private readonly Queue<byte[]> _toBroker = [];
    private readonly ScriptedClient _client;
    private readonly BrokerPlayer _player;
    private int _connection;
    private bool _isOpen;
    private long _now;
    private long _closedAt;

    private VirtualProgram(BrokerScript script, ScriptedProgram program, TimeSpan patience)
    {
        _client = new(program.Version, program.IsClean, program.Fault, _toBroker.Enqueue);
        _player = new(script, this, patience);
    }

    /// <summary>Plays a script to its end.</summary>
    public static PlayedRun Play(BrokerScript script, ScriptedProgram program, TimeSpan patience)
    {
        var run = new VirtualProgram(script, program, patience);
        for (var step = 0; step < MostSteps && !run._player.IsOver; step++)
            run.Advance();
        Assert.That(run._player.IsOver, $"the script does not end: {script}");
        return PlayedRun.Of(script, run._player.Monitor);
    }

    void IPlayedWire.Send(int connection, ReadOnlyMemory<byte> bytes)
    {
        if (connection == _connection)
            _toClient.Enqueue(bytes.ToArray());
    }

    void IPlayedWire.Close(int connection)
    {
        if (connection == _connection)
            Lose();
    }

    private void Advance()
    {
        _now += Step;
        if (!_isOpen && _now - _closedAt >= ReconnectAfter)
        {
            (_isOpen, _connection) = (true, _connection + 1);
            _player.Opened(_connection, _now);
            _client.Connected(_now);
        }
        while (_isOpen && _toClient.TryDequeue(out var bytes))
            _client.Received(bytes, _now);
        if (_isOpen)
            _client.Tick(_now);
        while (_isOpen && _toBroker.TryDequeue(out var bytes))
            _player.Received(_connection, bytes, _now);
        if (_isOpen && _client.WantsClose)
        {
            _player.Closed(_connection, _now);
            Lose();
        }
        _player.Tick(_now);
    }

    private void Lose()
    {
        (_isOpen, _closedAt) = (false, _now);
        _toClient.Clear();
        _toBroker.Clear();
    }
}

/// <summary>A client and its fault.</summary>
internal sealed record ScriptedProgram(
    ProtocolVersion Version,
    ClientFault Fault = ClientFault.None,
    bool IsClean = false
);
