namespace MqttCheck.Brokers.Loads;

/// <summary>An open message. Times are on the wire's clock.</summary>
internal struct MessageSlot
{
    public long Number;
    public long Intended;

    // When nothing but the generator kept it from being sent: the intended time, or later, when the window had room again.
    public long Ready;
    public long Sent;
    public long Acknowledged;
    public long Delivered;
    public int Deliveries;
    public int Bytes;
    public SlotFlags Flags;

    public readonly bool Has(SlotFlags flag) => (Flags & flag) != 0;
}
