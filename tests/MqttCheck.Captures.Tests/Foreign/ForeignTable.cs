using MqttCheck.Captures.Foreign;
using MqttCheck.Logs;

namespace MqttCheck.Captures.Tests.Foreign;

/// <summary>Turns the text of another program's log into an exchange log.</summary>
internal static class ForeignTable
{
    public const string JMeter =
        "timeStamp,elapsed,label,responseCode,threadName,success,failureMessage,sentBytes\n"
        + "1795922785000,12,MQTT Connect,200,Group 1-1,true,,0\n"
        + "1795922785100,7,MQTT Pub Sampler,200,Group 1-1,true,,55\n"
        + "1795922785103,9,MQTT Pub Sampler,500,Group 1-2,false,\"no, not\nso\",60\n"
        + "1795922785200,1000,MQTT Sub Sampler,200,Group 1-1,true,,0\n"
        + "1795922785300,3,HTTP Request,200,Group 1-1,true,,0\n"
        + "1795922785400,2,MQTT DisConnect,200,Group 1-1,true,,0\n";

    public const string MqttLoader =
        "1599643916401359,,,\n"
        + "1599643916416000,ml-p-1,S,\n"
        + "1599643916416000,ml-p-2,S,\n"
        + "1599643916417000,ml-s-1,R,1000\n"
        + "1599643916418000,ml-s-1,R,2000\n"
        + "1599643916419500,ml-s-2,R,3500\n"
        + "1599643916420000,ml-s-2,R,4000\n"
        + "1599643916500000,ml-p-1,S,\n"
        + "1599643916600000,ml-s-1,R,77\n";

    // As tshark 4 prints it: the third frame of the publisher has three packets, of which one has no identifier.
    public const string Tshark =
        "frame.time_epoch\ttcp.stream\ttcp.srcport\tmqtt.msgtype\tmqtt.msgid\tmqtt.qos\tmqtt.topic\tmqtt.len\t"
        + "mqtt.clientid\n"
        + "1795922785.000000000\t0\t54738\t1\t\t\t\t15\tsub\n"
        + "1795922785.000500000\t0\t1883\t2\t\t\t\t2\t\n"
        + "1795922785.001000000\t0\t54738\t8\t7\t\tt/#\t8\t\n"
        + "1795922785.001250000\t0\t1883\t9\t7\t\t\t3\t\n"
        + "1795922785.002000000\t1\t54742\t1\t\t\t\t15\tpub\n"
        + "1795922785.002100000\t1\t1883\t2\t\t\t\t2\t\n"
        + "1795922785.010000000\t1\t54742\t3,3,3\t5,6\t1,0,2\tt/a,t/b,t/c\t8,7,10\t\n"
        + "1795922785.010100000\t0\t1883\t3\t5\t1\tt/a\t8\t\n"
        + "1795922785.010150000\t0\t54738\t4\t5\t\t\t2\t\n"
        + "1795922785.010200000\t1\t1883\t4,5\t5,6\t\t\t2,2\t\n"
        + "1795922785.010300000\t1\t54742\t6\t6\t\t\t2\t\n"
        + "1795922785.010400000\t1\t1883\t7\t6\t\t\t2\t\n"
        + "1795922785.020000000\t1\t54742\t3\t9\t1\tt/a\t8\t\n";

    /// <summary>Turns a file into a log beside it.</summary>
    public static (ExchangeLog Log, string[] Said) Turn(string path, string? columns = null, params int[] ports)
    {
        var log = path + ".log.csv";
        var foreign = ForeignFiles.Read(path, columns is null ? null : ColumnMap.Parse(columns), ports);
        var said = ForeignLogFile.Write(foreign, path, log, "1.2.3").Lines().ToArray();
        return (ExchangeLogReader.Read(log), said);
    }
}
