using MqttCheck.Protocol;

namespace MqttCheck.Broker.Sessions;

/// <summary>
/// The QoS 1 and 2 messages on their way to one receiver, in the order they were sent, each under its packet
/// identifier. All operations take constant time; an identifier is its slot's index + 1, and freed ones are used again
/// in the order they became free.
/// </summary>
/// <typeparam name="TDelivery">A message on its way: of the broker to a client, or of a node to its peer.</typeparam>
/// <param name="scattersIdentifiers">Whether identifiers are spread over their range instead of being small.</param>
internal sealed class InFlightWindow<TDelivery>(bool scattersIdentifiers = false)
    where TDelivery : struct, IQualified
{
    private const int None = -1;

    private struct Slot
    {
        public TDelivery Delivery;
        public Stage Stage;
        public bool SentHere;
        public int Previous,
            Next;
    }

    private enum Stage : byte
    {
        Free,
        Published,
        Released,
    }

    // Published and Released slots each form a list in order of sending; free slots form a queue through Next.
    private struct List
    {
        public int First,
            Last;
    }

    private Slot[] _slots = [];
    private List _published = new() { First = None, Last = None };
    private List _released = new() { First = None, Last = None };
    private List _free = new() { First = None, Last = None };

    /// <summary>Messages that are not finished yet.</summary>
    public int Count { get; private set; }

    /// <summary>
    /// PUBLISH packets sent over the present connection that are not finished: what the receiver's Receive Maximum
    /// bounds.
    /// </summary>
    public int OpenHere { get; private set; }

    /// <summary>Whether some message of an earlier connection still waits to be sent again.</summary>
    public bool HasUnsent => _unsent != None;

    private int _unsent = None;

    /// <summary>Takes a message in as sent.</summary>
    /// <param name="delivery">A QoS 1 or 2 delivery.</param>
    /// <returns>Its packet identifier. There are 65 535; the caller keeps <see cref="Count"/> below that.</returns>
    public ushort Add(in TDelivery delivery)
    {
        if (_free.First == None)
            Grow();
        var index = _free.First;
        Unlink(ref _free, index);
        ref var slot = ref _slots[index];
        slot.Delivery = delivery;
        slot.Stage = Stage.Published;
        slot.SentHere = true;
        Append(ref _published, index);
        Count++;
        OpenHere++;
        return IdentifierOf(index);
    }

    /// <summary>PUBACK has come, or a PUBREC that reports an error.</summary>
    /// <returns>Whether the identifier was in use for a PUBLISH of that quality of service.</returns>
    public bool Finish(ushort packetIdentifier, QualityOfService qos)
    {
        if (!Is(packetIdentifier, Stage.Published) || _slots[IndexOf(packetIdentifier)].Delivery.Qos != qos)
            return false;
        Free(ref _published, IndexOf(packetIdentifier));
        return true;
    }

    /// <summary>
    /// PUBREC has come: the message is the receiver's, only its identifier is kept. A repeated PUBREC changes nothing.
    /// </summary>
    /// <returns>Whether the identifier is in use for a QoS 2 message, so that PUBREL is due.</returns>
    public bool Release(ushort packetIdentifier)
    {
        if (Is(packetIdentifier, Stage.Released))
            return true;
        if (!Is(packetIdentifier, Stage.Published))
            return false;
        var index = IndexOf(packetIdentifier);
        ref var slot = ref _slots[index];
        if (slot.Delivery.Qos != QualityOfService.ExactlyOnce)
            return false;
        if (index == _unsent)
            _unsent = slot.Next;
        Unlink(ref _published, index);
        slot.Delivery = default;
        slot.Stage = Stage.Released;
        Append(ref _released, index);
        return true;
    }

    /// <summary>PUBCOMP has come.</summary>
    /// <returns>Whether the identifier was waiting for it.</returns>
    public bool Complete(ushort packetIdentifier)
    {
        if (!Is(packetIdentifier, Stage.Released))
            return false;
        Free(ref _released, IndexOf(packetIdentifier));
        return true;
    }

    /// <summary>Forgets all messages; their identifiers are free.</summary>
    public void Clear()
    {
        while (_published.First != None)
            Free(ref _published, _published.First);
        while (_released.First != None)
            Free(ref _released, _released.First);
    }

    /// <summary>
    /// A new connection: nothing has been sent over it, all PUBLISH packets are to be sent again, in order.
    /// </summary>
    public void Rewind()
    {
        for (var i = _published.First; i != None; i = _slots[i].Next)
            _slots[i].SentHere = false;
        for (var i = _released.First; i != None; i = _slots[i].Next)
            _slots[i].SentHere = false;
        OpenHere = 0;
        _unsent = _published.First;
    }

    /// <summary>
    /// The next message to be sent again over the present connection, which counts as sent by this call.
    /// </summary>
    /// <param name="packetIdentifier">Its identifier.</param>
    /// <param name="delivery">The message.</param>
    /// <returns>False when all have been.</returns>
    public bool TryResend(out ushort packetIdentifier, out TDelivery delivery)
    {
        packetIdentifier = IdentifierOf(_unsent);
        delivery = default;
        if (_unsent == None)
            return false;
        ref var slot = ref _slots[_unsent];
        slot.SentHere = true;
        OpenHere++;
        delivery = slot.Delivery;
        _unsent = slot.Next;
        return true;
    }

    /// <summary>Forgets all PUBLISH packets that are not finished: a mutant.</summary>
    public void ForgetPublished()
    {
        while (_published.First != None)
            Free(ref _published, _published.First);
        _unsent = None;
    }

    /// <summary>PUBLISH packets are sent again in reverse order from now on: a mutant.</summary>
    public void Reverse()
    {
        for (var i = _published.First; i != None; i = _slots[i].Previous)
            (_slots[i].Previous, _slots[i].Next) = (_slots[i].Next, _slots[i].Previous);
        (_published.First, _published.Last) = (_published.Last, _published.First);
        _unsent = _published.First;
    }

    /// <summary>Counts a message that is released no longer against the receiver's quota: a mutant.</summary>
    public void FreeQuota(ushort packetIdentifier)
    {
        ref var slot = ref _slots[IndexOf(packetIdentifier)];
        if (!slot.SentHere)
            return;
        slot.SentHere = false;
        OpenHere--;
    }

    /// <summary>Calls back for each identifier that waits for PUBCOMP, in the order PUBREC came.</summary>
    public IEnumerable<ushort> Released()
    {
        for (var i = _released.First; i != None; i = _slots[i].Next)
            yield return IdentifierOf(i);
    }

    // A rotation of the 16 bits takes 1 .. 65 535 to itself.
    private ushort IdentifierOf(int index) =>
        scattersIdentifiers ? ushort.RotateLeft((ushort)(index + 1), 7) : (ushort)(index + 1);

    private int IndexOf(ushort packetIdentifier) =>
        (scattersIdentifiers ? ushort.RotateRight(packetIdentifier, 7) : packetIdentifier) - 1;

    private bool Is(ushort packetIdentifier, Stage stage) =>
        packetIdentifier != 0
        && IndexOf(packetIdentifier) < _slots.Length
        && _slots[IndexOf(packetIdentifier)].Stage == stage;

    private void Free(ref List list, int index)
    {
        ref var slot = ref _slots[index];
        if (index == _unsent)
            _unsent = slot.Next;
        if (slot.SentHere)
            OpenHere--;
        Unlink(ref list, index);
        slot = default;
        Append(ref _free, index);
        Count--;
    }

    private void Grow()
    {
        var old = _slots.Length;
        Array.Resize(ref _slots, Math.Min(Math.Max(8, 2 * old), ushort.MaxValue));
        for (var i = old; i < _slots.Length; i++)
            Append(ref _free, i);
    }

    private void Append(ref List list, int index)
    {
        _slots[index].Previous = list.Last;
        _slots[index].Next = None;
        if (list.Last == None)
            list.First = index;
        else
            _slots[list.Last].Next = index;
        list.Last = index;
    }

    private void Unlink(ref List list, int index)
    {
        var (previous, next) = (_slots[index].Previous, _slots[index].Next);
        if (previous == None)
            list.First = next;
        else
            _slots[previous].Next = next;
        if (next == None)
            list.Last = previous;
        else
            _slots[next].Previous = previous;
    }
}
