namespace MqttCheck.Workers.Computing;

/// <summary>
/// The address at which the other parts of a live run reach a part. The key is that of the part. It lives in the worker
/// over whose connection it is called first.
/// </summary>
[Alias("mqttcheck.part-post")]
internal interface IPartPostGrain : IGrainWithStringKey
{
    /// <summary>Activates the grain here.</summary>
    [Alias("open")]
    [ResponseTimeout("00:00:03")]
    Task OpenAsync();

    /// <summary>Tells what happened in another part.</summary>
    /// <param name="notes">Its notes.</param>
    [Alias("receive")]
    Task ReceiveAsync(byte[] notes);
}
