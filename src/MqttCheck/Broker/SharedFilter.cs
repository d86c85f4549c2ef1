using MqttCheck.Protocol;

namespace MqttCheck.Broker;

/// <summary>The form of shared subscriptions: <c>$share/name/filter</c> (MQTT 5, section 4.8.2).</summary>
internal static class SharedFilter
{
    /// <summary>The filter behind the share name; the filter itself if it is not shared.</summary>
    public static string FilterOf(string filter) => TopicFilter.IsShared(filter) ? filter[(filter.IndexOf('/', "$share/".Length) + 1)..] : filter;
}
