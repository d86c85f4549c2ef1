namespace MqttCheck.Brokers.Fleets;

/// <summary>Watches which clients can connect, and decides when the run has to end because they cannot.</summary>
/// <param name="clients">The number of clients of the fleet.</param>
/// <param name="own">How many of them are here.</param>
/// <param name="patienceNanoseconds">How long nobody may be able to connect.</param>
/// <param name="patienceWithOneNanoseconds">How long a single client may fail while others can.</param>
internal sealed class ConnectWatch(int clients, int own, long patienceNanoseconds, long patienceWithOneNanoseconds)
{
    private const long Never = long.MinValue;

    private readonly long[] _failingSince = [.. Enumerable.Repeat(Never, clients)];
    private long _nobodySince = Never;
    private int _untried = own;
    private bool _anyoneEver;
    private int _online;

    /// <summary>A client is connected.</summary>
    public void Succeeded(int client)
    {
        _online++;
        _anyoneEver = true;
        _nobodySince = _failingSince[client] = Never;
    }

    /// <summary>A connected client is so no longer.</summary>
    public void Left() => _online--;

    /// <summary>A client could not connect.</summary>
    /// <returns>Null to go on; otherwise why not, to be followed by what the broker did.</returns>
    public string? Failed(int client, long nowNanoseconds, object address)
    {
        if (_nobodySince == Never)
            _nobodySince = nowNanoseconds;
        if (_failingSince[client] == Never)
        {
            _failingSince[client] = nowNanoseconds;
            _untried--;
        }
        // If all first attempts fail, the broker is not running, and waiting is pointless.
        var hopeless = !_anyoneEver && _untried == 0;
        if (_online == 0 && (hopeless || nowNanoseconds - _nobodySince >= patienceNanoseconds))
            return $"No client could connect to {address}";
        var failing = nowNanoseconds - _failingSince[client];
        return failing < patienceWithOneNanoseconds
            ? null
            : $"Client {client} of {_failingSince.Length} could not connect to {address} for "
                + $"{failing / 1_000_000_000} s, while others could";
    }
}
