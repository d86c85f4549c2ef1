namespace MqttCheck.ClusterProtocols.Hops;

/// <summary>
/// The identities of messages that a node has seen: the last 65 536 counters of each process of each origin. An older
/// counter counts as seen, since a copy that late can only be a repeat.
/// </summary>
/// <param name="origins">How many nodes there are.</param>
internal sealed class SeenMessages(int origins)
{
    /// <summary>How many counters of one process are told apart.</summary>
    public const int Window = 65_536;

    // Messages of a process may still be under way after its successor has started; more than this many restarts in
    // the time of one message do not happen.
    private const int IncarnationsPerOrigin = 4;

    private readonly History[] _histories =
    [
        .. Enumerable.Range(0, origins * IncarnationsPerOrigin).Select(_ => new History()),
    ];
    private int _self = -1;
    private ulong _incarnation;

    /// <summary>A process of a node begins, and has seen nothing.</summary>
    /// <param name="self">The node.</param>
    /// <param name="incarnation">The number that tells the process from those before it.</param>
    public void Begin(int self, ulong incarnation)
    {
        (_self, _incarnation) = (self, incarnation);
        foreach (var history in _histories)
            history.Clear();
    }

    /// <summary>
    /// Whether an earlier process of this node published a message. It gave it to its subscribers then, and no session
    /// of this process is as old: to them it would be a repeat, if anything.
    /// </summary>
    public bool IsOfEarlierProcess(in RoutedMessage message) =>
        message.Origin == _self && message.Incarnation != _incarnation;

    /// <summary>Whether a message was added before.</summary>
    public bool Contains(in RoutedMessage message)
    {
        var first = message.Origin * IncarnationsPerOrigin;
        for (var i = first; i < first + IncarnationsPerOrigin; i++)
            if (_histories[i].Is(message.Incarnation))
                return _histories[i].Contains(message.Counter);
        return false;
    }

    /// <summary>Remembers a message.</summary>
    public void Add(in RoutedMessage message)
    {
        var first = message.Origin * IncarnationsPerOrigin;
        var at = first;
        while (at < first + IncarnationsPerOrigin && !_histories[at].Is(message.Incarnation))
            at++;
        if (at == first + IncarnationsPerOrigin)
        {
            // The oldest process gives its place to the newest.
            at--;
            _histories[at].Begin(message.Incarnation);
        }
        // The process that is heard of stands first, so that it is found at once.
        for (; at > first; at--)
            (_histories[at], _histories[at - 1]) = (_histories[at - 1], _histories[at]);
        _histories[first].Add(message.Counter);
    }

    private sealed class History
    {
        private ulong[] _bits = [];
        private ulong _incarnation;
        private long _highest = -1;
        private bool _isUsed;

        public bool Is(ulong incarnation) => _isUsed && _incarnation == incarnation;

        public void Begin(ulong incarnation)
        {
            Clear();
            (_incarnation, _isUsed) = (incarnation, true);
        }

        public void Clear()
        {
            if (_highest >= 0)
                Array.Clear(_bits, 0, (int)Math.Min(_bits.Length, (_highest >> 6) + 1));
            (_highest, _isUsed) = (-1, false);
        }

        public bool Contains(long counter)
        {
            if (counter > _highest)
                return false;
            if (counter <= _highest - Window)
                return true;
            var at = (int)(counter & (Window - 1));
            return (_bits[at >> 6] >> (at & 63) & 1) != 0;
        }

        public void Add(long counter)
        {
            if (counter <= _highest - Window)
                return;
            if (_bits.Length < Window / 64 && (counter >> 6) >= _bits.Length)
                Array.Resize(ref _bits, (int)Math.Min(Window / 64, Math.Max((counter >> 6) + 1, 2 * _bits.Length)));
            // Counters that enter the window take the places of those that leave it.
            for (var next = Math.Max(_highest + 1, counter - Window + 1); next <= counter; next++)
                Bit(next) &= ~Mask(next);
            _highest = Math.Max(_highest, counter);
            Bit(counter) |= Mask(counter);
        }

        private ref ulong Bit(long counter) => ref _bits[(int)(counter & (Window - 1)) >> 6];

        private static ulong Mask(long counter) => 1UL << (int)(counter & 63);
    }
}
