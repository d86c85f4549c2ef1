using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace MqttCheck.Brokers.Loads.Messages;

/// <summary>
/// The open messages of one publisher by number. The latest are in a ring, without allocation. Messages that stay open
/// while the ring wraps around move to a table. Memory therefore depends on the number of open messages, however old
/// they are.
/// </summary>
/// <param name="receivers">How many receivers each message has.</param>
internal sealed class MessageWindow(int receivers)
{
    private const int FirstSlots = 16;
    private const int MostSlots = 1024;

    // There is one bit per receiver, if there are several.
    private readonly int _words = receivers == 1 ? 0 : (receivers + 63) / 64;
    private MessageSlot[] _slots = new MessageSlot[FirstSlots];
    private ulong[] _bits = new ulong[receivers == 1 ? 0 : FirstSlots * ((receivers + 63) / 64)];
    private Dictionary<long, MessageSlot>? _stragglers;
    private Dictionary<long, ulong[]>? _stragglerBits;

    /// <summary>The number of the next message.</summary>
    public long Next { get; private set; }

    /// <summary>Opens the next message.</summary>
    public ref MessageSlot Add()
    {
        var index = (int)Next & (_slots.Length - 1);
        if (_slots[index].Has(SlotFlags.Open))
        {
            if (_slots.Length < MostSlots)
                Grow();
            else
                SetAside(index);
            index = (int)Next & (_slots.Length - 1);
        }
        ref var slot = ref _slots[index];
        slot = new()
        {
            Number = Next++,
            Sent = LoadMessage.None,
            Acknowledged = LoadMessage.None,
            Delivered = LoadMessage.None,
            Flags = SlotFlags.Open,
        };
        if (_words > 0)
            Array.Clear(_bits, index * _words, _words);
        return ref slot;
    }

    /// <summary>An open message, or a null reference.</summary>
    /// <param name="number">Its number.</param>
    public ref MessageSlot Find(long number)
    {
        ref var slot = ref _slots[(int)number & (_slots.Length - 1)];
        if (slot.Number == number && slot.Has(SlotFlags.Open))
            return ref slot;
        return ref _stragglers is null
            ? ref Unsafe.NullRef<MessageSlot>()
            : ref CollectionsMarshal.GetValueRefOrNullRef(_stragglers, number);
    }

    /// <summary>Notes that a receiver has an open message.</summary>
    /// <param name="slot">The message.</param>
    /// <param name="receiver">The receiver's number.</param>
    /// <returns>Whether it did not have it before.</returns>
    public bool TryReceive(ref MessageSlot slot, int receiver)
    {
        if (_words == 0)
        {
            if (slot.Deliveries > 0)
                return false;
        }
        else
        {
            var index = (int)slot.Number & (_slots.Length - 1);
            var bits =
                _slots[index].Number == slot.Number
                    ? _bits.AsSpan(index * _words, _words)
                    : _stragglerBits![slot.Number];
            var bit = 1UL << receiver;
            if ((bits[receiver >> 6] & bit) != 0)
                return false;
            bits[receiver >> 6] |= bit;
        }
        slot.Deliveries++;
        return true;
    }

    /// <summary>Closes an open message.</summary>
    /// <param name="number">Its number.</param>
    public void Close(long number)
    {
        ref var slot = ref _slots[(int)number & (_slots.Length - 1)];
        if (slot.Number == number && slot.Has(SlotFlags.Open))
        {
            slot.Flags = SlotFlags.None;
            return;
        }
        _stragglers!.Remove(number);
        _stragglerBits?.Remove(number);
    }

    /// <summary>The numbers of all open messages, in order.</summary>
    public List<long> Numbers()
    {
        var numbers = new List<long>();
        if (_stragglers is not null)
            numbers.AddRange(_stragglers.Keys);
        foreach (ref readonly var slot in _slots.AsSpan())
        {
            if (slot.Has(SlotFlags.Open))
                numbers.Add(slot.Number);
        }
        numbers.Sort();
        return numbers;
    }

    private void Grow()
    {
        var (slots, bits) = (_slots, _bits);
        _slots = new MessageSlot[slots.Length * 2];
        _bits = new ulong[bits.Length * 2];
        for (var index = 0; index < slots.Length; index++)
        {
            if (!slots[index].Has(SlotFlags.Open))
                continue;
            var to = (int)slots[index].Number & (_slots.Length - 1);
            _slots[to] = slots[index];
            Array.Copy(bits, index * _words, _bits, to * _words, _words);
        }
    }

    private void SetAside(int index)
    {
        var number = _slots[index].Number;
        (_stragglers ??= [])[number] = _slots[index];
        if (_words > 0)
            (_stragglerBits ??= [])[number] = _bits.AsSpan(index * _words, _words).ToArray();
        _slots[index].Flags = SlotFlags.None;
    }
}
