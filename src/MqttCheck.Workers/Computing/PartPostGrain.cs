using Orleans.Placement;

namespace MqttCheck.Workers.Computing;

/// <summary>Hands notes of other parts to the part that is held here.</summary>
[PreferLocalPlacement]
internal sealed class PartPostGrain(PartStore parts) : Grain, IPartPostGrain
{
    /// <inheritdoc/>
    public Task OpenAsync() => Task.CompletedTask;

    /// <inheritdoc/>
    public Task ReceiveAsync(byte[] notes)
    {
        parts.Find(this.GetPrimaryKeyString(), isAsked: false)?.Receive(notes);
        return Task.CompletedTask;
    }
}
