namespace MqttCheck.Brokers.Loads;

/// <summary>An open message. Times are on the wire's clock.</summary>
internal struct MessageSlot
{
    public long Number;
    public long Intended;

    // When nothing but the generator kept it from being sent: the intended time, or later, when the window had room again.
    public long Ready;
    public long Sent;

    // How far the stamp may be off.
    public long SendBound;
    public long Acknowledged;
    public long Delivered;
    public int Deliveries;
    public int Bytes;
    public SlotFlags Flags;

    /// <summary>An answer that came before the call that sent the message had returned says that the bytes left earlier than the middle of that call.</summary>
    public void Narrow(long answer)
    {
        if (answer >= Sent + SendBound) return;
        var earliest = Sent - SendBound;
        SendBound = Math.Max(0, answer - earliest) / 2;
        Sent = earliest + SendBound;
    }

    public readonly bool Has(SlotFlags flag) => (Flags & flag) != 0;
}
